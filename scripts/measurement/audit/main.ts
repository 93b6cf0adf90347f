import { runNamed } from '../../../tooling/script-options.ts'

/** Each is loaded only when it is asked for. */
export const audits = {
  lighthouse: {
    summary: 'scores, page weight and layout shift of a front page, a post, a topic and the documentation',
    details: '  --types   every page type',
    load: async () => (await import('./lighthouse.ts')).auditWithLighthouse,
  },
  inspector: {
    summary:
      'checks the MCP server of each site in both protocol versions with the official inspector, which it installs first',
    load: async () => (await import('./inspector.ts')).auditWithInspector,
  },
  runtimes: {
    summary: 'packs the TypeScript client and uses it in every Node on the PATH, Bun, Deno and Chromium',
    load: async () => (await import('./runtimes/run-runtimes.ts')).auditRuntimes,
  },
  screenshots: {
    summary: 'screenshots of every page type: narrow and wide, light and dark',
    load: async () => (await import('./pictures.ts')).takeScreenshots,
  },
  'picture-of-sites': {
    summary: 'writes the picture of the README: the front pages of the four sites, light and dark',
    load: async () => (await import('./pictures.ts')).drawPictureOfSites,
  },
}

if (import.meta.main) await runNamed({ command: 'npm run audit', what: 'audit' }, audits)
