/* Shows an OpenAPI document with Redoc, in the colors of the site. */

const wanted = new URLSearchParams(location.search).get('document');
const name = wanted === 'control.openapi' ? wanted : 'openapi';
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
const isDark = chosen === 'dark' || (chosen === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
document.documentElement.classList.toggle('dark', isDark);

const light = {
  text: '#1f1b14',
  quiet: '#544c3d',
  link: '#97310c',
  soft: '#f4f0e6',
  line: '#ddd5c3',
  good: '#1f5f43',
  bad: '#a11d2b',
};
const dark = {
  text: '#f1eadb',
  quiet: '#c5bba5',
  link: '#f0a275',
  soft: '#26221a',
  line: '#383226',
  good: '#8fd1ab',
  bad: '#ff9a94',
};
const colors = isDark ? dark : light;
const answer = (color, tabTextColor) => ({ color, backgroundColor: colors.soft, tabTextColor });

const options = {
  disableSearch: true,
  expandResponses: '200',
  theme: {
    colors: {
      // Also the buttons of variants, which are white with it and the other way round.
      primary: { main: isDark ? '#b9471a' : colors.link },
      success: { main: colors.good },
      error: { main: colors.bad },
      gray: { 50: colors.soft, 100: colors.soft },
      text: { primary: colors.text, secondary: colors.quiet },
      border: { dark: colors.line, light: colors.line },
      responses: {
        success: answer(colors.good, '#8fd1ab'),
        error: answer(colors.bad, '#ff9a94'),
        redirect: answer(colors.quiet, '#c5bba5'),
        info: answer(colors.quiet, '#c5bba5'),
      },
      http: Object.fromEntries(
        ['get', 'post', 'put', 'patch', 'delete'].map((method) => [method, '#1f5f43']),
      ),
    },
    schema: {
      linesColor: colors.line,
      typeNameColor: colors.quiet,
      typeTitleColor: colors.quiet,
      requireLabelColor: colors.bad,
      nestedBackground: colors.soft,
      arrow: { color: colors.quiet },
    },
    sidebar: {
      backgroundColor: colors.soft,
      textColor: colors.text,
      activeTextColor: colors.link,
      arrow: { color: colors.quiet },
    },
    // The button of the menu on a narrow screen.
    fab: { backgroundColor: colors.soft, color: colors.link },
    rightPanel: { backgroundColor: '#211e17', textColor: '#f1eadb' },
    codeBlock: { backgroundColor: '#16140f' },
    typography: {
      fontSize: '15px',
      fontFamily: '"IBM Plex Sans", system-ui, sans-serif',
      headings: { fontFamily: 'Georgia, "Noto Serif JP", serif' },
      links: { color: colors.link, visited: colors.link, hover: colors.link },
      code: { color: colors.link, backgroundColor: colors.soft, fontFamily: 'ui-monospace, monospace' },
    },
  },
};

/** Redoc leaves levels of headings out, and has lists to choose from without a name. */
function complete() {
  for (const select of document.querySelectorAll('select:not([aria-label])')) {
    select.setAttribute('aria-label', 'Variant of the sample');
  }
  let level = 1;
  for (const heading of document.querySelectorAll('#reference :is(h1, h2, h3, h4, h5)')) {
    level = Math.min(Number(heading.localName.slice(1)), level + 1);
    if (heading.ariaLevel !== String(level)) heading.ariaLevel = String(level);
  }
}

const reference = document.getElementById('reference');
Redoc.init(`/${name}.yaml`, options, reference, () => {
  complete();
  new MutationObserver(complete).observe(reference, { childList: true, subtree: true });
});
