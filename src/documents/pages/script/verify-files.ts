import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'

const folder = 'assets/verify'
const own = new URL('verify/', import.meta.url)
const library = new URL('../../../../clients/typescript/src/verify/', import.meta.url)

/**
 * The scripts and the style sheet of the page that verifies posts, by path. The library runs as callers get it, without
 * its types.
 */
export function verifyFiles(): [string, string][] {
  const version = versionOf(sources())
  return sources().map(([name, text]) => [
    `${folder}/${name}`,
    text.replaceAll(/(?<=from '\.[^']*)\.(?:ts|js)(?=')/g, `.js?v=${version}`),
  ])
}

/** The address of a file. The version changes all addresses at once, so that caches never mix two versions. */
export const verifyFileUrl = (name: 'page.js' | 'page.css'): string => `/${folder}/${name}?v=${versionOf(sources())}`

const versionOf = (files: readonly [string, string][]): string =>
  createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 12)

let known: [string, string][] | undefined

function sources(): [string, string][] {
  known ??= [
    ...readdirSync(own)
      .sort()
      .map((name): [string, string] => [name, readFileSync(new URL(name, own), 'utf8')]),
    ...readdirSync(library, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .sort()
      .map((name): [string, string] => [
        name.replace(/\.ts$/, '.js'),
        withoutBlanks(stripTypeScriptTypes(readFileSync(new URL(name, library), 'utf8'))),
      ]),
  ]
  return known
}

/** Types leave spaces behind. */
const withoutBlanks = (text: string): string => text.replaceAll(/[ \t]+$/gm, '').replaceAll(/\n{3,}/g, '\n\n')
