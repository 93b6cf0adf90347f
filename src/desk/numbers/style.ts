/** Tiles, pictures and tables of numbers. The classes of the pictures are those of markup/bar-chart.ts. */
export const numbersStyle = `
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: 1px; background: var(--rule); border: 1px solid var(--rule); border-radius: 4px; overflow: hidden }
.tiles > div { display: grid; grid-template-rows: subgrid; grid-row: span 2; background: var(--sheet); padding: .9rem 1.1rem 1rem }
.tiles dt { font: 600 .9375rem/1.4 var(--plain) }
.tiles dt .under { font-weight: 400; font-size: .8125rem }
.tiles b { display: block; margin-top: .4rem; font: 700 2.25rem/1.1 var(--text); letter-spacing: -.02em; font-variant-numeric: lining-nums }
.tiles .note { display: flex; flex-wrap: wrap; gap: .25rem .6rem; align-items: baseline; min-height: 1.6rem; font: .8125rem/1.5 var(--plain); color: var(--soft) }
.spans ul { display: flex; gap: 1.25rem; list-style: none; margin: 0; padding: 0 }
.spans a { display: inline-block; padding: .35rem 0; color: var(--soft); text-decoration: none }
.spans a:hover { color: var(--ink) }
.spans [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px 0 var(--mark) }
.tiles + .chart { margin-top: 2rem }
.chart figcaption { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1.5rem; margin-bottom: 1rem; font: 600 .9375rem/1.5 var(--plain) }
.chart + .deciders { margin-top: 2rem }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1.1rem; font-weight: 400; font-size: .875rem; color: var(--soft) }
.key { width: .75em; height: .75em }
.series-1 { fill: var(--bar) }
.series-2 { fill: var(--second) }
.series-3 { fill: var(--third) }
.series-4 { fill: var(--fourth) }
.series-5 { fill: var(--fifth) }
.plot .scale { min-width: 2rem }
.ends { display: flex; justify-content: space-between; margin: .5rem 0 0; padding-inline-start: 2.75rem; font: .8125rem/1.3rem var(--plain); color: var(--soft) }
.numbers thead th { white-space: normal; vertical-align: bottom }
.numbers tbody tr:last-child > * { border-bottom: 0 }
.numbers .nil { color: var(--soft) }
.deciders .series-1 { fill: var(--ink) }
.deciders .series-2 { fill: var(--edge) }
:root { --second: #b98a2f; --third: #2f6d6a; --fourth: #6b6459; --fifth: #8a4f7d }
@media (prefers-color-scheme: dark) { :root { --second: #d9b05c; --third: #6fb1ac; --fourth: #a59e93; --fifth: #c995bd } }
@media (max-width: 48rem) { .tiles { grid-template-columns: 1fr 1fr } }
@media (max-width: 40rem) { .numbers { font-size: .875rem } .numbers th, .numbers td { padding-inline-end: .75rem } }
`
