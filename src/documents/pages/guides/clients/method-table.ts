import type { Operation } from '../../../../contract/define-operation.ts'
import { referenceAddress } from '../../../../contract/generators/reference-address.ts'
import { markdownTable } from '../../markdown-parts.ts'

/** A row for each operation that is a method of the clients, with its name in the language. */
export const methodTable = (operations: readonly Operation[], nameOf: (id: string) => string): string =>
  markdownTable(
    ['Method', 'Operation', 'Description'],
    operations
      // The clients follow it with a method of their own.
      .filter(({ answersStream }) => !answersStream)
      .map((operation) => [
        `\`${nameOf(operation.id)}\``,
        `[${operation.method} ${operation.path}](${referenceAddress(operation)})`,
        operation.summary,
      ]),
  )
