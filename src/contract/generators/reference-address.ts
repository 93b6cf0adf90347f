export const referencePath = 'docs/reference/'

/** The path of the page with all operations that have this tag. */
export const groupPath = (tag: string): string => `${referencePath}${tag.toLowerCase().replaceAll(/\W+/g, '-')}/`

/** Where the reference describes an operation. */
export const referenceAddress = ({ tag, id }: { tag: string; id: string }): string => `/${groupPath(tag)}#${id}`
