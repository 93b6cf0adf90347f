import type { Operation } from '../../define-operation.ts'
import { isSafeToRepeat } from '../client-rules.ts'
import { bodyName, queryName, returnType, type SiteOperations } from './definitions.ts'
import { docstring, snakeCase } from './names.ts'

/** Whether the methods wait by themselves or are awaited. */
export type Style = 'sync' | 'async'

/** Each operation once, with the description that it has on every site; empty if the sites differ. */
export function eachOperation(sites: SiteOperations): Operation[] {
  const all = Map.groupBy([...sites.values()].flat(), ({ id }) => id)
  return [...all.values()].map((same) => {
    const [first, ...others] = same as [Operation, ...Operation[]]
    return others.every(({ description }) => description === first.description) ? first : { ...first, description: '' }
  })
}

export const constantOf = ({ id }: Operation): string => snakeCase(id).toUpperCase()

/** Prints the facts about each operation that a call needs. */
export function printOperationFacts(sites: SiteOperations): string {
  const facts = eachOperation(sites).map((operation) => {
    const { id, method, path } = operation
    const kinds = [...sites].filter(([, operations]) => operations.some((one) => one.id === id)).map(([kind]) => kind)
    const flags = [
      `safe_to_repeat=${isSafeToRepeat(operation) ? 'True' : 'False'}`,
      `takes_idempotency_key=${operation.takesIdempotencyKey ? 'True' : 'False'}`,
      ...(kinds.length < sites.size ? [`kind="${kinds[0]}"`] : []),
    ]
    return `${constantOf(operation)}: Operation[${returnType(operation)}] = Operation("${method}", "${path}", ${flags.join(', ')})`
  })
  return `from __future__ import annotations

from typing import Union

from .._core.operation import Operation
from .types import *

${facts.join('\n')}
`
}

/** Prints one method for each operation, returning the body, and the same methods returning the whole response. */
export function printOperationMethods(sites: SiteOperations, style: Style): string {
  const operations = eachOperation(sites)
  const [prefix, call] = style === 'sync' ? ['Sync', 'def'] : ['Async', 'async def']
  const abstract = (result: string) => `    ${call} _call(
        self,
        operation: Operation[T],
        params: Optional[Mapping[str, str]] = None,
        *,
        query: Optional[Mapping[str, Any]] = None,
        body: Any = None,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> ${result}:
        raise NotImplementedError`
  const methods = (wrap: (type: string) => string) =>
    operations.map((operation) => printMethod(operation, style, wrap)).join('\n\n')
  return `from __future__ import annotations

from typing import Any, Mapping, Optional, TypeVar, Union

from .._core.operation import Operation, Response
from . import operations
from .types import *

T = TypeVar("T")


class ${prefix}Operations:
    """Every operation of the API. Each method returns the body of the response."""

${abstract('T')}

${methods((type) => type)}


class ${prefix}OperationsWithResponse:
    """Every operation of the API. Each method returns the response with its status and headers."""

${abstract('Response[T]')}

${methods((type) => `Response[${type}]`)}
`
}

function printMethod(operation: Operation, style: Style, wrap: (type: string) => string): string {
  const { id, summary, description, params, query, takesIdempotencyKey } = operation
  const [body, queryType] = [bodyName(operation), queryName(operation)]
  const names = Object.keys(params?.shape ?? {})
  const isQueryOptional = query?.safeParse({}).success
  const parameters = [
    'self',
    ...names.map((name) => `${name}: str`),
    body && `body: ${body}`,
    queryType && `query: ${isQueryOptional ? `Optional[${queryType}] = None` : queryType}`,
    '*',
    takesIdempotencyKey && 'idempotency_key: Optional[str] = None',
    'timeout: Optional[float] = None',
  ].filter(Boolean)
  const given = [
    `operations.${constantOf(operation)}`,
    names.length > 0 && `{${names.map((name) => `"${name}": ${name}`).join(', ')}}`,
    body && 'body=body',
    queryType && 'query=query',
    takesIdempotencyKey && 'idempotency_key=idempotency_key',
    'timeout=timeout',
  ].filter(Boolean)
  const [keyword, wait] = style === 'sync' ? ['def', ''] : ['async def', 'await ']
  const call = `${wait}self._call(${given.join(', ')})`
  return `    ${keyword} ${snakeCase(id)}(
${parameters.map((parameter) => `        ${parameter},`).join('\n')}
    ) -> ${wrap(returnType(operation))}:
${docstring(description ? `${summary}.\n\n${description}` : `${summary}.`, '        ')}
        return ${call}`
}
