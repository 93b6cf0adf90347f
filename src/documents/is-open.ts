import type { Kind } from '../kinds/index.ts'
import { operationsOf } from '../operations.ts'

/**
 * Whether the site of this kind serves that operation today: `GET /v1/search`. A document leaves out what is not open,
 * or says that it opens soon, so it becomes right by itself.
 */
export const isOpen = (kind: Kind, part: string): boolean =>
  operationsOf(kind).some(({ method, path }) => `${method} ${path}` === part)
