import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { byKey } from '../../src/mcp/http-adapter.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { fixRequest } from '../support/http/fix-request.ts'
import { mistakes, type Scene } from '../support/http/mistakes.ts'
import { prepareScene, send } from '../support/http/send-mistake.ts'

let service: Service
let scene: Scene
before(async () => {
  service = await startService({ commonMcp: { authentication: byKey } })
  scene = await prepareScene(service)
})
after(async () => {
  await writeMarkdown()
  await service[Symbol.asyncDispose]()
})

const sections: string[] = []

/** `npm run mistakes` asks for the responses, so that people can judge them. */
async function writeMarkdown() {
  const file = process.env['MISTAKES_MARKDOWN']
  if (!file) return
  const names = Object.entries(service.baseUrls).map(([kind, url]) => [String(url), `https://${kind}.example`] as const)
  const known = [
    ...names,
    [service.accountPageUrl, 'https://account.example'] as const,
    [scene.apiKey, '<API key>'] as const,
  ]
  const text = ['# Mistakes and what the service answers', ...sections].join('\n\n')
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, `${known.reduce((shown, [from, to]) => shown.replaceAll(from, to), text)}\n`)
}

const fenced = (value: unknown) => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``

const siteOf = (url: string) =>
  Object.keys(service.baseUrls).find((kind) => url.startsWith(String(service.baseUrls[kind]))) ?? 'none'

test('there are 32 mistakes', () => {
  assert.equal(mistakes.length, 32)
  assert.equal(new Set(mistakes.map(({ name }) => name)).size, 32)
})

suite('the response to a mistake says how to correct it', () => {
  for (const mistake of mistakes)
    test(mistake.name, async () => {
      const sent = mistake.send(scene)
      const refused = await send(service, sent, scene)
      const shown = JSON.stringify(refused.body)
      sections.push(`## ${mistake.name}`, 'Sent:', fenced(sent), `Response ${refused.status}:`, fenced(refused.body))
      assert.ok(refused.status >= 400 && refused.status < 500, shown)
      assert.ok(shown.length < 8_000, `${shown.length} bytes`)
      const fixed = mistake.corrected?.(scene) ?? fixRequest(sent, refused, scene.apiKey, siteOf)
      assert.ok(fixed, shown)
      const answer = await send(service, fixed, scene)
      assert.ok(answer.status < 300, JSON.stringify({ refused: refused.body, fixed, answer: answer.body }, null, 2))
    })
})
