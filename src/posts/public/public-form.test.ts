import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { kinds } from '../../kinds/index.ts'
import { canonicalJson } from '../../platform/canonical-json.ts'
import { formOf } from './public-form.ts'

const file = new URL('public-forms.json', import.meta.url)
const known = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>

for (const kind of kinds)
  test(`the signed JSON of the kind ${kind.name} is what it was`, () => {
    const form = JSON.parse(canonicalJson(formOf(kind, `https://${kind.site.slug}.broadside.example`)))
    assert.deepEqual(
      form,
      known[kind.name],
      'The JSON of public posts has changed. After an upgrade, all posts whose JSON differs are signed again and get another ' +
        `entry in the transparency log. If that is meant, correct ${file.pathname} and say so in the changelog.`,
    )
  })
