const refuse = () => {
  throw new Error('no route has a schema of Fastify')
}

/** Zod validates, so Fastify does not load Ajv: that would take 30 ms and 6 MB in each process. */
export const noSchemas = {
  schemaController: { compilersFactory: { buildValidator: refuse, buildSerializer: refuse } },
}
