import assert from 'node:assert/strict'
import { test } from 'node:test'
import { markdownPath } from '../../src/documents/pages/book-page.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { exampleDeployment } from '../../src/documents/site-documents.ts'
import { kinds } from '../../src/kinds/index.ts'
import { unescaped } from '../support/pages/links-in.ts'

const pages = documentPages(exampleDeployment)
const commonUrl = `${exampleDeployment.accountPageUrl}/mcp`
const setup = 'docs/mcp/setup/'

/** What each client reads from an address of its scheme. */
const readers: Record<string, (link: URL) => unknown> = {
  'vscode:': ({ pathname, search }) => ({ action: pathname, ...JSON.parse(decodeURIComponent(search.slice(1))) }),
  'cursor:': readConfig,
  'lmstudio:': readConfig,
  'goose:': ({ hostname, searchParams }) => ({ action: hostname, ...Object.fromEntries(searchParams) }),
}

function readConfig({ hostname, pathname, searchParams }: URL) {
  const config = JSON.parse(Buffer.from(String(searchParams.get('config')), 'base64').toString())
  return { action: `${hostname}${pathname}`, name: searchParams.get('name'), ...config }
}

const addressesOn = (page: string) => [...page.matchAll(/href="([^"]+)"/g)].map(([, href]) => unescaped(String(href)))
const isInstallLink = (address: string) => /^[a-z]+:/.test(address) && !/^(https?|mailto):/.test(address)

test('each install link gives its client the server for all sites and no key, or this site’s server', () => {
  for (const { name, site } of kinds) {
    const links = addressesOn(pages.get(`${site.slug}/${setup}index.html`) ?? '').filter(isInstallLink)
    const read = links.map((link) => {
      const url = new URL(link)
      return [url.protocol, readers[url.protocol]?.(url)]
    })
    assert.deepEqual(Object.fromEntries(read), {
      'vscode:': { action: 'mcp/install', name: 'broadside', type: 'http', url: commonUrl },
      'cursor:': { action: 'anysphere.cursor-deeplink/mcp/install', name: 'broadside', url: commonUrl },
      'goose:': {
        action: 'extension',
        type: 'streamable_http',
        url: commonUrl,
        id: 'broadside',
        name: 'Broadside',
        description: 'Publish and search posts',
      },
      'lmstudio:': {
        action: 'add_mcp',
        name: `broadside-${site.slug}`,
        url: `${exampleDeployment.sites[name]}/mcp`,
        headers: { Authorization: 'Bearer YOUR_API_KEY' },
      },
    })
    assert.equal(links.length, 4)
  }
})

test('install links are only on the setup page, in the same form in its Markdown', () => {
  for (const [path, page] of pages) {
    if (!path.endsWith('.html')) continue
    const links = addressesOn(page).filter(isInstallLink)
    const [, address = ''] = /^[^/]+\/(.*)index\.html$/.exec(path) ?? []
    if (address !== setup) assert.deepEqual(links, [], path)
    else
      for (const link of links)
        assert.ok(pages.get(path.replace(/docs.*$/, markdownPath(setup)))?.includes(`](${link})`))
  }
})

/** The commands of the page, after the shell has parsed them. */
const commandsOn = (page: string) =>
  [...page.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, text]) =>
    String(text).replaceAll('\\\n', ' ').trim().split('\n'),
  )

const configurationsIn = (text: string) => [...text.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => String(json))

test('commands and configurations for a sign-in name the server for all sites and no key, and come before those with a key', () => {
  for (const { name, site } of kinds) {
    const page = pages.get(`${site.slug}/${markdownPath(setup)}`) ?? ''
    const commands = commandsOn(page)
      .map((command) => command.replaceAll(/\s+/g, ' '))
      .filter((command) => !command.startsWith('export'))
    const own = `${exampleDeployment.sites[name]}/mcp`
    assert.deepEqual(commands, [
      `claude mcp add --transport http broadside ${commonUrl}`,
      `codex mcp add broadside --url ${commonUrl}`,
      'codex mcp login broadside',
      `gemini mcp add --transport http broadside ${commonUrl}`,
      `claude mcp add --transport http broadside-${site.slug} ${own} --header "Authorization: Bearer $BROADSIDE_API_KEY"`,
      `codex mcp add broadside-${site.slug} --url ${own} --bearer-token-env-var BROADSIDE_API_KEY`,
    ])
    const [signIn = '', withKey = ''] = page.split('\n## Use an API key\n')
    assert.doesNotMatch(signIn, /bsk_|BROADSIDE_API_KEY/)
    assert.ok(configurationsIn(signIn).length >= 2 && configurationsIn(withKey).length >= 7)
    for (const [part, url] of [[signIn, commonUrl] as const, [withKey, own] as const])
      for (const json of configurationsIn(part)) assert.ok(JSON.stringify(JSON.parse(json)).includes(`"${url}"`), json)
  }
})
