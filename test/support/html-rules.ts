import type { ConfigData } from 'html-validate'

/** What every page of ours must pass in html-validate. */
export const htmlRules: ConfigData = {
  root: true,
  extends: ['html-validate:recommended', 'html-validate:document', 'html-validate:a11y'],
  rules: {
    // The name of the site is part of every title, and search engines cut where they like.
    'long-title': 'off',
    // What we load is our own, from the same host.
    'require-sri': ['error', { target: 'crossorigin' }],
  },
}
