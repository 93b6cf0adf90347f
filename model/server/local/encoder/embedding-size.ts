/** The length of an embedding. It has its own file, because importing the encoder loads ONNX Runtime. */
export const embeddingSize = 512
