import { referencePath } from '../../../contract/generators/reference-address.ts'

export const schemasPath = `${referencePath}schemas/`

export const schemaId = (name: string): string => `schema-${name}`

/** Where the reference describes a shared schema. */
export const schemaAddress = (name: string): string => `/${schemasPath}#${schemaId(name)}`
