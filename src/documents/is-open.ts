import type { Kind } from '../kinds/index.ts'
import { operationsOf } from '../operations.ts'

/** The doors that are no operation, by path. */
const doors: Record<string, boolean> = { '/mcp': false }

/**
 * Whether the site of this kind serves that part today: `GET /v1/search`, `/mcp`. A document leaves out what is not
 * open, or says that it opens soon, so it becomes right by itself.
 */
export function isOpen(kind: Kind, part: string): boolean {
  const path = part.slice(part.indexOf('/'))
  return doors[path] ?? operationsOf(kind).some((operation) => `${operation.method} ${operation.path}` === part)
}
