import { writeFloor } from './floor.ts'
import { measureSearch } from './measure.ts'

const measured = await measureSearch()
writeFloor(measured)
process.stdout.write(
  `nDCG@10 ${measured.mean.toFixed(4)} over ${measured.scores.length} queries, as in floor.json now\n`,
)
