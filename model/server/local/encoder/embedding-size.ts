/** The length of the vector that stands for a text. Apart from the encoder, whose file loads its package. */
export const embeddingSize = 512
