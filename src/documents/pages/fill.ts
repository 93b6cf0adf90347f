import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

/** What a text says by name: `{{base_url}}`. */
export type Facts = Readonly<Record<string, string>>

/** The text with every `{{name}}` replaced. A name that is not known ends the build: no page shows a gap. */
export function fill(text: string, facts: Facts): string {
  return text.replaceAll(/\{\{(\w+)\}\}(\n\n)?/g, (_, name: string, gap = '') => {
    const fact = facts[name]
    assert.ok(fact !== undefined, `the text asks for {{${name}}}, which is not among the facts`)
    // A fact may be empty, as a note that no longer applies, and leaves no gap then.
    return fact === '' ? '' : fact + gap
  })
}

export const readText = (name: string): string => readFileSync(new URL(`texts/${name}.md`, import.meta.url), 'utf8')

export const readSnippet = (name: string): string =>
  readFileSync(new URL(`snippets/${name}`, import.meta.url), 'utf8').trimEnd()

export const readProjectFile = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
