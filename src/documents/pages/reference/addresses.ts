import type { Operation } from '../../../contract/define-operation.ts'

export const referencePath = 'docs/reference/'

/** The path of the page with all operations that have this tag. */
export const groupPath = (tag: string): string => `${referencePath}${tag.toLowerCase().replaceAll(/\W+/g, '-')}/`

/** Where the reference describes an operation. */
export const referenceAddress = ({ tag, id }: Pick<Operation, 'tag' | 'id'>): string => `/${groupPath(tag)}#${id}`

export const schemasPath = `${referencePath}schemas/`

export const schemaId = (name: string): string => `schema-${name}`

/** Where the reference describes a shared schema. */
export const schemaAddress = (name: string): string => `/${schemasPath}#${schemaId(name)}`
