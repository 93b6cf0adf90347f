import { createHash } from 'node:crypto'

/** A style sheet or a script of a door. */
export type DoorFile = { path: `/${string}`; type: string; text: string; url: string }

/** What it says is part of its address, so that a browser keeps it for ever and never keeps an old one. */
export function doorFile(path: `/${string}`, type: string, text: string): DoorFile {
  const version = createHash('sha256').update(text).digest('base64url').slice(0, 12)
  return { path, type, text, url: `${path}?v=${version}` }
}
