import type { Figure } from './benchmark-figures.ts'

/** The heads of the columns of `figureRow`. */
export const figureHead = [
  '| set | n / violating | average precision [95 %] | list of words | precision / recall / F1 at 0.5 | false alarms at 0.5 / 0.9 |',
  '| --- | --- | --- | --- | --- | --- |',
]

/** A figure as a line of the model card. */
export function figureRow(figure: Figure): string {
  const { average_precision, interval_95: [low, high] = [], keyword_average_precision, at_half, false_alarms } = figure
  const number = (value: number | undefined) => (value === undefined ? '–' : value.toFixed(3))
  const share = (value: number) => `${(value * 100).toFixed(1)} %`
  return `| ${[
    figure.name,
    `${figure.n} / ${figure.positives}`,
    average_precision === undefined ? '–' : `${number(average_precision)} [${number(low)}–${number(high)}]`,
    number(keyword_average_precision),
    at_half ? `${number(at_half.precision)} / ${number(at_half.recall)} / ${number(at_half.f1)}` : '–',
    `${share(false_alarms.at_half)} / ${share(false_alarms.at_nine_tenths)}`,
  ].join(' | ')} |`
}
