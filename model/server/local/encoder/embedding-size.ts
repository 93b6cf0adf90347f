/** The length of an embedding. In its own file, because the encoder's file loads its package. */
export const embeddingSize = 512
