import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { parseFeed } from 'feedsmith'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import packageFile from '../../package.json' with { type: 'json' }
import { problemsOf } from '../../src/contract/define-operation.ts'
import { groupPath, referenceAddress } from '../../src/contract/generators/reference-address.ts'
import { problemCodes } from '../../src/contract/problems/problems.ts'
import { bookOf } from '../../src/documents/pages/book.ts'
import { type BookPage, markdownPath } from '../../src/documents/pages/book-page.ts'
import { parseChangelog } from '../../src/documents/pages/changelog.ts'
import { docsPages, otherTextPages } from '../../src/documents/pages/docs-pages.ts'
import { documentSite } from '../../src/documents/pages/document-site.ts'
import { readTemplate } from '../../src/documents/pages/fill.ts'
import { documentPages } from '../../src/documents/pages/index.ts'
import { plainText } from '../../src/documents/pages/markdown.ts'
import { docsScript, docsScriptPath } from '../../src/documents/pages/script/docs-script.ts'
import { exampleDeployment, siteDocuments } from '../../src/documents/site-documents.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { operationsOf } from '../../src/operations.ts'
import { noCounts } from '../../src/policy/moderation-counts.ts'
import { policy } from '../../src/policy/policy.ts'
import { siteAssets } from '../../src/publishing/assets.ts'
import { transparencyPage } from '../../src/publishing/transparency/transparency-page.ts'
import { isWhole } from '../../tooling/test-length.ts'
import { htmlRules } from '../support/pages/valid-formats.ts'

const pages = documentPages(exampleDeployment)
const [message] = kinds as [Kind]
const htmlPages = [...pages].filter(([path]) => path.endsWith('.html'))
const pageAt = (path: string): string => {
  const page = pages.get(path)
  assert.ok(page !== undefined, `${path} is missing`)
  return page
}

/** The visible text: ghtml writes reserved HTML characters as numeric references. */
const readable = (page: string) =>
  page.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

/** The sites have the same pages with other words: a short run reads each page on one of the sites. */
function pagesToRead() {
  if (isWhole) return htmlPages
  const byName = Object.groupBy(htmlPages, ([path]) => path.slice(path.indexOf('/')))
  return Object.values(byName).flatMap((same = [], turn) => same.slice(turn % same.length).slice(0, 1))
}

test('every page passes html-validate’s rules for documents and accessibility', () => {
  const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))
  const faults = pagesToRead().flatMap(([path, page]) =>
    validator
      .validateStringSync(page)
      .results.flatMap(({ messages }) =>
        messages.map(({ line, ruleId, message }) => `${path}:${line} ${ruleId} ${message}`),
      ),
  )
  assert.deepEqual(faults, [])
})

test('every page is smaller than 60 KB in transfer, with its style sheet, its script and its fonts', () => {
  const transferred = (...files: (string | Buffer)[]) => files.reduce((sum, file) => sum + gzipSync(file).length, 0)
  const scriptOf = (page: string) => (page.includes(`src="/${docsScriptPath}"`) ? docsScript() : '')
  for (const kind of kinds) {
    const assets = [...siteAssets(kind)].filter(([path]) => /\.(css|woff2)$/.test(path)).map(([, content]) => content)
    const large = htmlPages
      .filter(([path]) => path.startsWith(`${kind.site.slug}/`))
      .filter(([, page]) => transferred(page, scriptOf(page), ...assets) >= 60_000)
    assert.deepEqual(
      large.map(([path]) => path),
      [],
    )
  }
})

test('every page has a unique title and description', () => {
  for (const { site } of kinds) {
    const own = htmlPages.filter(([path]) => path.startsWith(`${site.slug}/`)).map(([, page]) => page)
    const titles = own.map((page) => /<title>([^<]+)</.exec(page)?.[1])
    const descriptions = own.map((page) => /<meta name="description" content="([^"]+)"/.exec(page)?.[1])
    assert.ok([...titles, ...descriptions].every(Boolean))
    assert.equal(new Set(titles).size, own.length)
    assert.equal(new Set(descriptions).size, own.length)
  }
})

test('a link to a fragment of a page finds it', () => {
  const broken = htmlPages.flatMap(([path, page]) =>
    [...page.matchAll(/href="([^"#&]*)#([^"]+)"/g)]
      .filter(([, target, id]) => !placesOf(path, page, String(target)).includes(`id="${id}"`))
      .map(([link]) => `${path}: ${link}`),
  )
  assert.deepEqual(broken, [])
})

/** The page without numbers, which is not among the documents. */
const transparency = transparencyPage(documentSite(message, exampleDeployment), {
  ...{ days: [], firstDay: null, audit: null },
  totals: { last30: noCounts(), last90: noCounts(), all: noCounts() },
})

function placesOf(path: string, page: string, target: string): string {
  if (target === '') return page
  if (target === '/transparency/') return transparency
  return target.startsWith('/') ? pageAt(`${path.split('/')[0]}${target}index.html`) : `id="${target}"`
}

test('no page shows a gap, an object or a number without its unit', () => {
  for (const [path, page] of pages) assert.doesNotMatch(page, /\{\{|undefined|\[object|NaN|>\\n</, path)
})

test('the reference describes every operation on the page of its group, with its fields and all its problems', () => {
  for (const kind of kinds) {
    const overview = pageAt(`${kind.site.slug}/docs/reference/index.html`)
    for (const operation of operationsOf(kind)) {
      const page = pageAt(`${kind.site.slug}/${groupPath(operation.tag)}index.html`)
      const section = page.split('<h2 ').find((part) => part.startsWith(`id="${operation.id}"`))
      assert.ok(section, operation.id)
      const [line = ''] = new RegExp(`<li id="${operation.id}">.*?</li>`).exec(overview) ?? []
      assert.ok(line.includes(`href="${referenceAddress(operation)}"`), 'an anchor of the former page leads on')
      assert.ok(overview.includes(`<h2 id="tag-${operation.tag}">`))
      assert.ok(readable(section).includes(`${operation.method} ${operation.path}`))
      assert.ok(section.includes(`<strong>${operation.successStatus}</strong>`))
      const [common = ''] = page.split('<h2 ')
      for (const code of problemsOf(operation))
        assert.ok(
          [common, section].some((part) => part.includes(`href="/problems/${code}"`)),
          code,
        )
      for (const name of Object.keys(operation.query?.shape ?? {}))
        assert.ok(section.includes(`<code>${name}</code>`), name)
    }
    for (const name of Object.keys(kind.content.shape))
      assert.ok(pageAt(`${kind.site.slug}/docs/posting/index.html`).includes(`<code>${name}</code>`), name)
  }
})

test('every problem has a page, and every category of the policy a section', () => {
  for (const { site } of kinds) {
    const catalog = pageAt(`${site.slug}/problems/index.html`)
    for (const code of problemCodes) {
      assert.ok(catalog.includes(`href="/problems/${code}"`))
      assert.ok(pageAt(`${site.slug}/problems/${code}.html`).includes(`<code>${code}</code>`))
    }
    const shown = pageAt(`${site.slug}/policy/index.html`)
    for (const { id } of policy.categories) assert.ok(shown.includes(`id="${id}"`))
  }
})

test('every fact collected for a text appears in it', () => {
  for (const kind of kinds)
    for (const { text, facts } of [...docsPages, ...otherTextPages]) {
      const unsaid = Object.keys(facts(documentSite(kind, exampleDeployment))).filter(
        (name) => !readTemplate(text).includes(`{{${name}}}`),
      )
      assert.deepEqual(unsaid, [], text)
    }
})

test('every page of the documentation is also available as Markdown, by itself and in one file', () => {
  for (const kind of kinds) {
    const { slug } = kind.site
    const whole = pageAt(`${slug}/llms-full.txt`)
    const book = bookOf(documentSite(kind, exampleDeployment))
    const shown = htmlPages.filter(([path]) => path.startsWith(`${slug}/docs/`)).map(([path]) => path)
    assert.deepEqual(
      shown,
      book.filter(({ path }) => path.startsWith('docs/')).map(({ path }) => `${slug}/${path}index.html`),
    )
    const places = book.map(({ path, title }) => {
      const address = markdownPath(path)
      assert.ok(
        pageAt(`${slug}/${path}index.html`).includes(`<link rel="alternate" type="text/markdown" href="/${address}"`),
      )
      assert.ok(pageAt(`${slug}/${address}`).startsWith(`# ${title}\n`))
      return whole.indexOf(`\n# ${title}\n\nSource: ${exampleDeployment.sites[kind.name]}/${address}\n`)
    })
    assert.ok(places.every((place) => place > 0))
    assert.deepEqual(
      places,
      places.toSorted((a, b) => a - b),
    )
    assert.doesNotMatch(whole, /\]\(\/|\{#/)
  }
})

test('the Markdown of a page has the same headings and the same code as the page', () => {
  for (const { path } of bookOf(documentSite(message, exampleDeployment))) {
    const [page, text] = [pageAt(`messages/${path}index.html`), pageAt(`messages/${markdownPath(path)}`)]
    const prose = text.replaceAll(/^```[\s\S]*?^```$/gm, '')
    assert.deepEqual(
      [...page.matchAll(/<h([1-4])[^>]*>(.*?)<\/h\1>/g)].map(([, , heading]) => readable(String(heading))).slice(0, -3),
      [...prose.matchAll(/^#{1,4} (.+)$/gm)].map(([, heading]) => plainText(String(heading))),
    )
    assert.deepEqual(
      [...page.matchAll(/<pre[^>]*>(.*?)<\/pre>/gs)].map(([, code]) => readable(String(code))),
      [...text.matchAll(/^```.*\n([\s\S]*?)\n?```$/gm)].map(([, code]) => code),
    )
  }
})

/** The order of the navigation, which also lists pages outside the documentation. */
const byGroup = (book: readonly BookPage[]) =>
  [
    ...Map.groupBy(
      [...book, ...['policy/', 'changelog/'].map((path) => ({ path, group: 'Operate' }))],
      (each) => each.group,
    ),
  ]
    .flatMap(([, pages]) => pages)
    .map(({ path }) => path)

test('each page of the documentation is in the navigation once, with its neighbours and its headings', () => {
  const book = bookOf(documentSite(message, exampleDeployment))
  for (const [index, { path }] of book.entries()) {
    const page = pageAt(`messages/${path}index.html`)
    const [, navigation = ''] = /<nav class="docs-nav"[^>]*>(.*?)<\/nav>/s.exec(page) ?? []
    // Folded and open; the style sheet shows one of them.
    for (const list of navigation.split('</details>')) {
      assert.deepEqual(
        [...list.matchAll(/href="\/([^"]*)"/g)].map(([, to]) => to),
        byGroup(book),
      )
      assert.deepEqual(list.match(/href="[^"]*" aria-current="page"/g), [`href="/${path}" aria-current="page"`])
    }
    const [before, after] = ['prev', 'next'].map((rel) => new RegExp(`<a rel="${rel}" href="/([^"]*)"`).exec(page)?.[1])
    assert.deepEqual([before, after], [book[index - 1]?.path, book[index + 1]?.path])
    const [, listed = ''] = /<nav class="on-page"[^>]*>(.*?)<\/nav>/s.exec(page) ?? []
    const headings = [...page.matchAll(/<h2 id="([^"]+)"/g)].map(([, id]) => id)
    if (headings.length > 1)
      assert.deepEqual(
        headings.filter((id) => !listed.includes(`href="#${id}"`)),
        [],
      )
  }
})

test('the search index names every page, every operation and every problem, and its links work', () => {
  for (const kind of kinds) {
    const { slug } = kind.site
    const { entries } = JSON.parse(pageAt(`${slug}/docs/search-index.json`)) as { entries: Record<string, string>[] }
    const found = entries.map(({ href }) => String(href))
    assert.equal(new Set(found).size, found.length)
    for (const href of found) {
      const [path = '', id] = href.slice(1).split('#')
      const page = pageAt(`${slug}/${path.endsWith('/') ? `${path}index` : path}.html`)
      if (id) assert.ok(page.includes(` id="${id}"`), href)
    }
    const expected = [
      ...bookOf(documentSite(kind, exampleDeployment)).map(({ path }) => `/${path}`),
      ...operationsOf(kind).map(referenceAddress),
      ...problemCodes.map((code) => `/problems/${code}`),
    ]
    assert.deepEqual(
      expected.filter((href) => !found.includes(href)),
      [],
    )
    assert.ok(gzipSync(pageAt(`${slug}/docs/search-index.json`)).length < 14_000)
  }
})

test('the changelog is a valid feed, and each release in it has a date', () => {
  for (const { site } of kinds) {
    const { format, feed } = parseFeed(pageAt(`${site.slug}/changelog/feed.xml`))
    assert.ok(format === 'rss')
    const items = feed.items ?? []
    const page = pageAt(`${site.slug}/changelog/index.html`)
    for (const { link, pubDate } of items) {
      assert.ok(page.includes(`id="${link?.split('#')[1]}"`))
      assert.match(String(pubDate), / 00:00:00 GMT$/)
    }
    assert.equal(feed.lastBuildDate, items[0]?.pubDate)
    if (items.length === 0) assert.match(page, /Nothing has been released yet\./)
    else assert.match(page, new RegExp(`>${packageFile.version} <time datetime="\\d{4}-\\d\\d-\\d\\d">`))
  }
})

test('no document serves unreleased changes', () => {
  const text = '# Changelog\n\n## Unreleased\n\n- Soon.\n\n## [1.1.0] - 2026-12-01\n\n- New.\n\n## 1.0.0\n\n- Old.\n'
  assert.deepEqual(parseChangelog(text), [{ name: '1.1.0', date: '2026-12-01', notes: '- New.' }])
  for (const [path, content] of [...pages, ...siteDocuments(exampleDeployment)])
    assert.doesNotMatch(content, /unreleased/i, path)
})
