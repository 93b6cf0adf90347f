/** A figure that others published, with its source. We did not measure it. */
export type PublishedFigure = {
  system: string
  average_precision: number | null
  f1: number | null
  false_positive_rate: number | null
  source: string
}

const llamaGuardCards = 'meta-llama/PurpleLlama, Llama-Guard/MODEL_CARD.md and Llama-Guard2/MODEL_CARD.md'
const secondCard = 'meta-llama/PurpleLlama, Llama-Guard2/MODEL_CARD.md'
const thirdCard = 'meta-llama/PurpleLlama, Llama-Guard3/1B/MODEL_CARD.md'
const safeguardReport = 'gpt-oss-safeguard technical report, as quoted in a public repository'

/** For OpenAI’s 1,680 posts, which these models had not seen. */
export const publishedFigures: readonly PublishedFigure[] = [
  row('OpenAI moderation API (2023)', 0.856, 0.788, 0.156, llamaGuardCards),
  row('Llama Guard 7B', 0.847, 0.737, 0.079, `${llamaGuardCards} (which lists the same pair for XSTest)`),
  row('Perspective API', 0.787, null, null, llamaGuardCards),
  row('GPT-4', null, 0.842, 0.092, secondCard),
  row('gpt-oss-safeguard-20b and -120b', null, 0.829, null, safeguardReport),
  row('ShieldGemma', null, 0.821, null, 'a listing of arXiv 2407.21772, not checked against the paper'),
  row('Llama Guard 2 8B', null, 0.807, 0.06, secondCard),
  row('gpt-oss-120b', null, 0.804, null, safeguardReport),
  row('gpt-5-thinking', null, 0.798, null, safeguardReport),
  row('gpt-oss-20b', null, 0.787, null, safeguardReport),
  row('MD-Judge', null, 0.768, 0.212, secondCard),
]

/** For the 450 XSTest prompts: dangerous ones, and harmless ones that sound like them. */
export const publishedOnXstest: readonly PublishedFigure[] = [
  row('Llama Guard 2 8B', null, 0.884, 0.084, secondCard),
  row('Llama Guard 3-8B', null, 0.884, 0.044, thirdCard),
  row('Llama Guard 3-1B', null, 0.821, 0.068, thirdCard),
  row('GPT-4', null, 0.895, 0.128, secondCard),
  row('OpenAI moderation API', null, 0.576, 0.04, secondCard),
]

function row(
  system: string,
  averagePrecision: number | null,
  f1: number | null,
  falsePositiveRate: number | null,
  source: string,
): PublishedFigure {
  return { system, average_precision: averagePrecision, f1, false_positive_rate: falsePositiveRate, source }
}
