import type { Operation } from '../../define-operation.ts'
import { answerName, bodyName, itemType, nameOnSite, queryName, type SiteOperations } from './definitions.ts'
import { docstring, snakeCase } from './names.ts'
import { constantOf, type Style } from './operations.ts'

/** Methods that follow the pages of a list, by the operation that returns one page. */
const lists = {
  listMyPosts: { name: 'my_posts', summary: 'Iterates over your own posts, whatever their status.' },
  listEvents: { name: 'events', summary: 'Iterates over your events, oldest first.' },
  searchPosts: { name: 'search', summary: 'Searches all sites. Each page counts as a search.' },
  listDrafts: { name: 'drafts', summary: 'Iterates over your drafts.' },
  listDeliveries: { name: 'deliveries', summary: 'Iterates over the deliveries of a webhook endpoint.' },
} as const

/** Prints the methods whose types depend on the kind of post, and those that follow pages. */
export function printConveniences(sites: SiteOperations, style: Style): string {
  const prefix = style === 'sync' ? 'Sync' : 'Async'
  const all = new Map([...sites.values()].flat().map((operation) => [operation.id, operation]))
  const printed = Object.entries(lists).flatMap(([id, list]) => {
    const operation = all.get(id)
    return operation ? [printList(operation, list, style)] : []
  })
  return `from __future__ import annotations

from typing import Any, AsyncIterator, Iterator, Literal, Mapping, Optional, TypeVar, Union, overload

from .._core.moments import Moment
from .._core.operation import Operation
from . import operations
from .types import *

T = TypeVar("T")


class ${prefix}Conveniences:
    """Methods with narrow types for each kind of post, and methods that follow the pages of a list."""

${printAbstract(style)}

${[...kindMethods(sites, style), ...printed].join('\n\n')}
`
}

function printAbstract(style: Style): string {
  const [call, iterator] = style === 'sync' ? ['def', 'Iterator'] : ['async def', 'AsyncIterator']
  return `    ${call} _publish(self, kind: str, body: Any, key: Optional[str], timeout: Optional[float]) -> PostStatus:
        raise NotImplementedError

    ${call} _schedule(
        self, kind: str, body: Any, publish_at: Moment, key: Optional[str], timeout: Optional[float]
    ) -> Draft:
        raise NotImplementedError

    ${call} _check(self, kind: str, body: Any, timeout: Optional[float]) -> DryRun:
        raise NotImplementedError

    ${call} _edit(
        self, kind: str, id: str, changes: Any, key: Optional[str], timeout: Optional[float]
    ) -> PostStatus:
        raise NotImplementedError

    def _iterate(
        self,
        operation: Operation[Any],
        cursor: str,
        query: Optional[Mapping[str, Any]],
        params: Optional[Mapping[str, str]] = None,
        *,
        kind: Optional[str] = None,
    ) -> ${iterator}[Any]:
        raise NotImplementedError`
}

type Overloaded = {
  name: string
  text: string
  /** The parameters between the kind and the options, and what the method returns, for one kind. */
  signature: (kind: string) => { parameters: string[]; result: string }
  /** The same for any kind. */
  whole: { parameters: string[]; result: string }
  options: string[]
  call: string
  isIterator?: true
}

/** Prints the methods that take a kind: one overload for each kind, so that type checkers know the right body. */
function kindMethods(sites: SiteOperations, style: Style): string[] {
  const [submit, browse, edit] = ['submitPost', 'browsePosts', 'editPost'].map((id) => operationOf(sites, id)) as [
    Operation,
    Operation,
    Operation,
  ]
  const named = (name: string | undefined, kind: string) => nameOnSite(sites, String(name), kind)
  const iterator = style === 'sync' ? 'Iterator' : 'AsyncIterator'
  const options = ['idempotency_key: Optional[str] = None', 'timeout: Optional[float] = None']
  const body = (kind: string) => `body: ${named(bodyName(submit), kind)}`
  const methods: Overloaded[] = [
    {
      name: 'publish',
      text: 'Submits a post and returns its status record.\n\nRaises ApprovalRequiredError if the owner must approve the posts of this key.',
      signature: (kind) => ({ parameters: [body(kind)], result: 'PostStatus' }),
      whole: { parameters: [`body: ${bodyName(submit)}`], result: 'PostStatus' },
      options,
      call: 'self._publish(kind, body, idempotency_key, timeout)',
    },
    {
      name: 'schedule',
      text: 'Keeps a post as a draft that is submitted at publish_at: a datetime with a time zone, or RFC 3339.',
      signature: (kind) => ({ parameters: [body(kind), 'publish_at: Moment'], result: 'Draft' }),
      whole: { parameters: [`body: ${bodyName(submit)}`, 'publish_at: Moment'], result: 'Draft' },
      options,
      call: 'self._schedule(kind, body, publish_at, idempotency_key, timeout)',
    },
    {
      name: 'check',
      text: 'Validates and prices a post without submitting it.',
      signature: (kind) => ({ parameters: [body(kind)], result: 'DryRun' }),
      whole: { parameters: [`body: ${bodyName(submit)}`], result: 'DryRun' },
      options: options.slice(1),
      call: 'self._check(kind, body, timeout)',
    },
    {
      name: 'edit',
      text: 'Edits a published post. The published version stays until the edit is accepted.',
      signature: (kind) => ({
        parameters: ['id: str', `changes: ${named(bodyName(edit), kind)}`],
        result: 'PostStatus',
      }),
      whole: { parameters: ['id: str', `changes: ${bodyName(edit)}`], result: 'PostStatus' },
      options,
      call: 'self._edit(kind, id, changes, idempotency_key, timeout)',
    },
    {
      name: 'posts',
      text: 'Iterates over the published posts of a kind, newest first.',
      signature: (kind) => ({
        parameters: [`query: Optional[${named(queryName(browse), kind)}] = None`],
        result: `${iterator}[${publicPost(sites, kind)}]`,
      }),
      whole: { parameters: [`query: Optional[${queryName(browse)}] = None`], result: `${iterator}[Any]` },
      options: [],
      call: `self._iterate(operations.${constantOf(browse)}, "cursor", query, kind=kind)`,
      isIterator: true,
    },
  ]
  return methods.map((method) => printOverloads(method, [...sites.keys()], style))
}

function printOverloads(method: Overloaded, kinds: readonly string[], style: Style): string {
  const { name, text, signature, whole, options, call, isIterator } = method
  const isAwaited = style === 'async' && !isIterator
  const keyword = isAwaited ? 'async def' : 'def'
  const head = (kind: string, { parameters, result }: { parameters: string[]; result: string }) => {
    const all = ['self', `kind: ${kind}`, ...parameters, ...(options.length > 0 ? ['*', ...options] : [])]
    return `    ${keyword} ${name}(\n${all.map((one) => `        ${one},`).join('\n')}\n    ) -> ${result}:`
  }
  const overloads = kinds.map((kind) => `    @overload\n${head(`Literal["${kind}"]`, signature(kind))} ...`)
  const body = `${docstring(text, '        ')}\n        return ${isAwaited ? 'await ' : ''}${call}`
  return [...overloads, `${head('str', whole)}\n${body}`].join('\n\n')
}

function printList(operation: Operation, { name, summary }: { name: string; summary: string }, style: Style): string {
  const { query, params } = operation
  const item = itemType(operation, answerName(operation))
  const queryType = String(queryName(operation))
  const names = Object.keys(params?.shape ?? {})
  const parameters = [
    'self',
    ...names.map((one) => `${one}: str`),
    `query: ${query?.safeParse({}).success ? `Optional[${queryType}] = None` : queryType}`,
  ]
  const cursor = query && 'cursor' in query.shape ? 'cursor' : 'after'
  const given = [`operations.${constantOf(operation)}`, `"${cursor}"`, 'query']
  if (names.length > 0) given.push(`{${names.map((one) => `"${one}": ${one}`).join(', ')}}`)
  const text = `${summary} Follows the pages of ${snakeCase(operation.id)}.`
  return `    def ${name}(${parameters.join(', ')}) -> ${style === 'sync' ? 'Iterator' : 'AsyncIterator'}[${item}]:
${docstring(text, '        ')}
        return self._iterate(${given.join(', ')})`
}

/** The types of published posts, by kind. */
export const publicPosts = (sites: SiteOperations): string[] => [...sites.keys()].map((kind) => publicPost(sites, kind))

function publicPost(sites: SiteOperations, kind: string): string {
  const browse = sites.get(kind)?.find(({ id }) => id === 'browsePosts') as Operation
  return itemType(browse, nameOnSite(sites, answerName(browse), kind))
}

function operationOf(sites: SiteOperations, id: string): Operation {
  const operation = [...sites.values()].flat().find((one) => one.id === id)
  if (!operation) throw new Error(`The Python client needs the operation ${id}.`)
  return operation
}
