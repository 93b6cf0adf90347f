import pg from 'pg'

type Connection = {
  stream: { write: (bytes: Buffer) => unknown }
  sync: () => void
  submittedNamedStatements: Record<string, string>
}

/** The part of pg's `Query` that handles the messages of one statement. */
type DriverQuery = {
  name: string | undefined
  text: string
  callback: (error: Error | null) => void
  _result: { _types: unknown; rows: object[] }
  _canceledDueToError: Error | false
  submit: (connection: object) => Error | null
  handleRowDescription: (message: object) => void
  handleDataRow: (message: object) => void
  handleCommandComplete: (message: object, connection: Connection) => void
}

export type PreparedStatement = { name: string | undefined; text: string; values: unknown[] }
export type Rows = object[][]

/** The error of a statement in a batch, with the position of the statement. */
export class BatchError extends Error {
  readonly position: number
  constructor(cause: unknown, position: number) {
    super('a statement of the batch failed', { cause })
    this.position = position
  }
}

/**
 * Several statements that the server receives and answers together. They are one transaction without `begin` and
 * `commit`: the server commits when it reaches the synchronisation message, of which there is one at the end, and after
 * an error it skips to it. A client of pg runs a batch as it runs a cursor: both are queries that write themselves.
 */
export class Batch {
  readonly #queries: DriverQuery[]
  #current = 0
  #fault: Error | undefined
  readonly statements: readonly PreparedStatement[]
  callback: ((error: Error | null, rows?: Rows) => void) | undefined

  constructor(statements: readonly PreparedStatement[], types: unknown) {
    this.statements = statements
    this.#queries = statements.map((statement) => {
      const query = new pg.Query({ ...statement, queryMode: 'extended' } as pg.QueryConfig) as unknown as DriverQuery
      query._result._types = types
      query.callback = (error) => {
        this.#fault ??= error ?? undefined
      }
      return query
    })
  }

  /** The client records under these which statement the server has just parsed. */
  get name(): string | undefined {
    return this.#queries[this.#current]?.name
  }

  get text(): string | undefined {
    return this.#queries[this.#current]?.text
  }

  /** Writes all messages at once, because each write is a system call. Writes nothing if a value is not valid. */
  submit(connection: Connection): Error | null {
    const written: Buffer[] = []
    const stream = { writable: true, write: (bytes: Buffer) => written.push(bytes) }
    const collecting: Connection = Object.create(connection, { stream: { value: stream } })
    const withoutSync: Connection = Object.create(collecting, { sync: { value: () => {} } })
    for (const query of this.#queries) {
      const error = query.submit(withoutSync) ?? this.#fault
      if (error) return error
    }
    collecting.sync()
    connection.stream.write(Buffer.concat(written))
    return null
  }

  handleRowDescription(message: object): void {
    this.#queries[this.#current]?.handleRowDescription(message)
  }

  handleDataRow(message: object): void {
    this.#queries[this.#current]?.handleDataRow(message)
  }

  handleCommandComplete(message: object, connection: Connection): void {
    this.#queries[this.#current++]?.handleCommandComplete(message, connection)
  }

  handleError(error: Error, { submittedNamedStatements }: Connection): void {
    // The server has not parsed what follows, so the next use must send the text again.
    for (const { name } of this.#queries.slice(this.#current)) if (name) delete submittedNamedStatements[name]
    this.callback?.(new BatchError(error, this.#current))
  }

  handleReadyForQuery(): void {
    const unreadable = this.#queries.findIndex((query) => query._canceledDueToError)
    if (unreadable >= 0) this.callback?.(new BatchError(this.#queries[unreadable]?._canceledDueToError, unreadable))
    else
      this.callback?.(
        null,
        this.#queries.map(({ _result }) => _result.rows),
      )
  }
}
