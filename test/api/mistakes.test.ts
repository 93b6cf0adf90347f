import assert from 'node:assert/strict'
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
after(() => service[Symbol.asyncDispose]())

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
      assert.ok(refused.status >= 400 && refused.status < 500, shown)
      assert.ok(shown.length < 8_000, `${shown.length} bytes`)
      const fixed = mistake.corrected?.(scene) ?? fixRequest(sent, refused, scene.apiKey, siteOf)
      assert.ok(fixed, shown)
      const answer = await send(service, fixed, scene)
      assert.ok(answer.status < 300, JSON.stringify({ refused: refused.body, fixed, answer: answer.body }, null, 2))
    })
})
