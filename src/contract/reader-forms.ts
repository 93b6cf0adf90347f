/** The size of a form on the sites. A text of 2,000 characters with four bytes each, percent-encoded, takes 24 KB. */
export const maxReaderFormBytes = 32 * 1024

/** How long the link that confirms a message to a seller stays valid. */
export const contactLinkSeconds = 86_400
