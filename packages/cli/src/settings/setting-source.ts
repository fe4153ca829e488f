/** Where a setting of a run was found. */
export interface SettingSource {
  readonly kind: 'option' | 'variable' | 'profile';
  /** The option or variable as it is typed, or the name of the profile. */
  readonly name: string;
}

/** A source for people: `--base-url`, `ORGCHAT_BASE_URL`, `profile staging`. */
export const describeSource = ({ kind, name }: SettingSource): string =>
  kind === 'profile' ? `profile ${name}` : name;
