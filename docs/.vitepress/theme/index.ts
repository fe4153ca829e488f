import '@fontsource-variable/ibm-plex-sans/wght.css';
import '@fontsource-variable/source-serif-4/opsz.css';
import '@fontsource/ibm-plex-mono/400.css';
import '@fontsource/ibm-plex-mono/600.css';
import type { Theme } from 'vitepress';
import DefaultTheme from 'vitepress/theme-without-fonts';
import { h } from 'vue';
import { useActiveEntry } from './active-entry.ts';
import { useCodeLanguage } from './code-language.ts';
import { useCurrentSection } from './current-section.ts';
import { useEntryFilter } from './entry-filter.ts';
import HomePage from './home-page.vue';
import NotFound from './not-found.vue';
import { useOpenFold } from './open-fold.ts';
import { useOverflowMarks } from './overflow-marks.ts';
import PlaygroundPage from './playground-page.vue';
import './theme.css';
import './frame.css';
import './code.css';
import './tables.css';
import './reference.css';
import './endpoint.css';

export default {
  extends: DefaultTheme,
  Layout: () => h(DefaultTheme.Layout, null, { 'not-found': () => h(NotFound) }),
  setup() {
    useOverflowMarks();
    useActiveEntry();
    useCurrentSection();
    useCodeLanguage();
    useEntryFilter();
    useOpenFold();
  },
  enhanceApp({ app }) {
    app.component('HomePage', HomePage);
    app.component('PlaygroundPage', PlaygroundPage);
  },
} satisfies Theme;
