import assert from 'node:assert/strict'
import { HtmlValidate, StaticConfigLoader } from 'html-validate'
import type { Staff } from '../../../tooling/clients/staff.ts'
import { textOf } from '../pages/read-forms.ts'
import { htmlRules } from '../pages/valid-formats.ts'

const validator = new HtmlValidate(new StaticConfigLoader(htmlRules))

/** The page, with the checks for every page: it is valid, has no external links, and contains no user markup. */
export async function read(whose: Staff, path: string, status = 200): Promise<string> {
  const response = await whose.get(path)
  return whole(response, path, status)
}

async function whole(response: Response, path: string, status: number): Promise<string> {
  const page = await response.text()
  assert.equal(response.status, status, `${path}: ${page.slice(0, 300)}`)
  const { results } = validator.validateStringSync(page)
  const faults = results.flatMap(({ messages }) => messages.map(({ ruleId, message }) => `${ruleId} ${message}`))
  assert.deepEqual(faults, [], path)
  const tags = new Set([...page.matchAll(/<([a-z0-9]+)/g)].map(([, tag]) => String(tag)))
  assert.deepEqual(
    [...tags].filter((tag) => !ourTags.has(tag)),
    [],
    path,
  )
  const inside = page.replaceAll(publicLink, '')
  for (const [, address] of inside.matchAll(/ (?:href|src|action|formaction)="([^"]*)"/g))
    assert.match(String(address), /^[/#](?!\/)/, path)
  assert.doesNotMatch(page, /<[^>]* (?:on[a-z]+|style)=/i, path)
  return textOf(page.replaceAll(/<[^>]*>/g, '$& '))
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[,.:;])/g, '')
}

/** The one external link: to another public post, without a referrer. */
const publicLink = /<a class="public" href="http[^"]+\/p\/post_[0-9a-z]{26}" rel="noreferrer" target="_blank">/g

const ourTags = new Set(
  `html head meta title link script body a header div p span nav ul ol li main section h1 h2 h3 strong small code kbd time
   form input button label dl dt dd details summary dialog svg rect table thead tbody tr th td br footer mark`.split(
    /\s+/,
  ),
)

/** The page with the reason for a refusal. */
export const refused = async (whose: Staff, path: string, status: number, fields: Record<string, string> = {}) =>
  whole(await whose.post(path, fields), path, status)
/** The redirect target of an accepted form. */
export const sentTo = async (whose: Staff, path: string, fields: Record<string, string> = {}) => {
  const response = await whose.post(path, fields)
  assert.equal(response.status, 303, `${path}: ${await response.text()}`)
  return response.headers.get('location')
}
