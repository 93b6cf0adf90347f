/**
 * The slope and offset that turn a sum into a probability through the logistic function (Platt 1999), fitted on unseen
 * texts.
 */
export function calibrate(sums: readonly number[], labels: readonly number[]): { slope: number; offset: number } {
  const positive = labels.filter((label) => label === 1).length
  // With fewer samples, the fit would be mostly chance.
  if (positive < 5) return { slope: 1, offset: 0 }
  const high = (positive + 1) / (positive + 2)
  const low = 1 / (labels.length - positive + 2)
  const lossOf = (slope: number, offset: number) => {
    let loss = 0
    for (let index = 0; index < sums.length; index++) {
      const value = slope * (sums[index] as number) + offset
      const target = labels[index] === 1 ? high : low
      loss += Math.log1p(Math.exp(-Math.abs(value))) + Math.max(value, 0) - target * value
    }
    return loss
  }
  let best = { slope: 1, offset: 0, loss: lossOf(1, 0) }
  for (let reach = 0.5; reach > 0.001; ) {
    const { slope, offset } = best
    const tried = [slope + reach, Math.max(slopes.least, slope - reach)]
      .map((value) => ({ slope: Math.min(slopes.most, value), offset }))
      .concat([offset + reach, offset - reach].map((value) => ({ slope, offset: value })))
      .map((one) => ({ ...one, loss: lossOf(one.slope, one.offset) }))
      .filter(({ loss }) => loss < best.loss - 1e-9)
      .sort((one, other) => one.loss - other.loss)
    if (tried[0]) best = tried[0]
    else reach /= 2
  }
  return { slope: best.slope, offset: best.offset }
}

/** A slope outside these limits means that the held-out part was too small or too unusual. */
const slopes = { least: 0.2, most: 3 }
