import type { ConfigurationResource } from '@orgchat/spec';
import { configurationResources } from '../contract.ts';

export const isConfigurationResource = (name: string): name is ConfigurationResource =>
  configurationResources.some((known) => known === name);
