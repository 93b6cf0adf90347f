/** What stands in the middle of a page. */
export const contents = `
section + section, .grid + section, section + .grid, .facts + section { margin-top: 2.75rem }
.notice + .purse { margin-top: 2rem }
.notice + .lede { margin-top: 0 }
form + p, .button + p { margin-top: 1rem }
.card { background: var(--sheet); border: 1px solid var(--rule); border-radius: 4px; padding: 1.25rem 1.5rem 1.5rem; min-width: 0 }
.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1.25rem }
.grid > section + section { margin-top: 0 }
@media (min-width: 56rem) { .grid.uneven { grid-template-columns: 2fr 3fr } }
.heading { display: flex; flex-wrap: wrap; justify-content: space-between; align-items: baseline; gap: .25rem 1rem; margin-bottom: .75rem }
.heading h1, .heading h2 { margin-bottom: 0 }
.heading p, .heading a { font: .875rem/1.5 var(--plain); margin: 0 }

.notice { border-inline-start: 4px solid var(--edge); background: var(--sheet); padding: .9rem 1.1rem; margin: 0 0 1.25rem; font-size: 1rem }
.notice h2 { font-size: 1.0625rem; margin-bottom: .25rem }
.notice p { margin-bottom: .5rem }
.notice p:last-child { margin-bottom: 0 }
.notice .buttons { margin-top: .75rem }
.notice.good { border-color: var(--good); background: var(--good-wash) }
.notice.warn { border-color: var(--warn); background: var(--warn-wash) }
.notice.bad { border-color: var(--bad); background: var(--bad-wash) }

.badge { display: inline-block; padding: .1em .6em; border: 1px solid var(--edge); border-radius: 1em; font: 500 .8125rem/1.5 var(--plain); color: var(--soft); white-space: nowrap }
.badge.good { color: var(--good); border-color: var(--good) }
.badge.warn { color: var(--warn); border-color: var(--warn) }
.badge.bad { color: var(--bad); border-color: var(--bad) }

dl { margin: 0 }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere }
.facts { border-top: 1px solid var(--rule); margin: 0 0 1.5rem }
.facts div { display: grid; grid-template-columns: 11rem 1fr; gap: 0 1rem; align-items: baseline; padding: .6rem 0; border-bottom: 1px solid var(--rule) }
.facts dt { color: var(--soft); font: .9375rem/1.5 var(--plain) }
.card .facts { margin-bottom: 0 }
.card .facts div { grid-template-columns: 9rem 1fr }

.table { overflow-x: auto; max-width: 100% }
table { width: 100%; border-collapse: collapse; font: .9375rem/1.5 var(--plain) }
caption { text-align: start; font: .875rem/1.5 var(--plain); color: var(--soft); padding-bottom: .5rem }
th, td { text-align: start; vertical-align: baseline; padding: .65rem 1rem .65rem 0; border-bottom: 1px solid var(--rule) }
th:last-child, td:last-child { padding-inline-end: 0 }
thead th { font-weight: 500; font-size: .8125rem; color: var(--soft); border-bottom-color: var(--ink); white-space: nowrap }
tbody th { font-weight: 500 }
td.wide { overflow-wrap: anywhere; min-width: 6rem }
tr.total > * { font-weight: 700 }
.when { white-space: nowrap; color: var(--soft); font-variant-numeric: tabular-nums }
.amount { text-align: end; white-space: nowrap; font-variant-numeric: tabular-nums }
.in { color: var(--good) }
.under { display: block; font-size: .875rem; color: var(--soft) }
.pages { display: flex; justify-content: space-between; gap: 1rem; margin-top: 1.25rem; font: .9375rem/1.5 var(--plain) }
.pages a { display: inline-block; padding: .5rem 0 }

.empty { padding: 2.5rem 1.25rem; border: 1px dashed var(--edge); border-radius: 4px; text-align: center; color: var(--soft) }
.empty p:first-child { font-size: 1.25rem; font-weight: 700; line-height: 1.3; color: var(--ink); margin-bottom: .35rem }
.quoted { border-inline-start: 3px solid var(--rule); padding-inline-start: 1.1rem; margin: 0 0 1.25rem; overflow-wrap: anywhere }
.quoted h3 { font-size: 1.1875rem }
details > summary { cursor: pointer; font: .9375rem/1.5 var(--plain); padding: .5rem 0; color: var(--soft) }
details > summary:hover { color: var(--ink) }
ul.plain, ol.plain { list-style: none; margin: 0; padding: 0 }

.purse { margin-bottom: 1.5rem }
.purse .sum { font: 700 clamp(3rem, 11vw, 4.5rem)/1 var(--text); letter-spacing: -.03em; font-variant-numeric: lining-nums; margin: 0 0 .6rem }
.purse .label { font: .875rem/1.5 var(--plain); color: var(--soft); margin: 0 0 .25rem }
.purse .buys { color: var(--soft); max-width: 40em }
.chart { margin: 0 0 .5rem }
.plot { display: flex; gap: .75rem; align-items: stretch }
.plot svg { flex: 1; min-width: 0; height: 10rem; overflow: visible }
.plot .bar { fill: var(--bar) }
.plot .line { stroke: var(--rule); stroke-width: 1; vector-effect: non-scaling-stroke }
.plot .base { stroke: var(--ink); stroke-width: 1; vector-effect: non-scaling-stroke }
.scale { display: flex; flex-direction: column; justify-content: space-between; align-items: end; margin: -.65rem 0 }
.scale, .days { font: .8125rem/1.3rem var(--plain); color: var(--soft); font-variant-numeric: tabular-nums }
.days { display: flex; justify-content: space-between; margin: .5rem 0 0 }
.after { margin-top: 1rem }
.later { margin-top: 2rem }
.lines { white-space: pre-line }
.address { font-size: clamp(1.25rem, 4vw, 1.75rem); overflow-wrap: anywhere }
.card-name { font-size: 1.1875rem }
.statements li { padding: .9rem 0; border-top: 1px solid var(--rule) }
.statements p { margin: 0 0 .4rem }
.receipt { background: var(--sheet); border: 1px solid var(--rule); padding: clamp(1.25rem, 5vw, 3rem); max-width: 44rem }
@media (min-width: 60rem) { table.led td.lead { min-width: 13rem } }
@media (max-width: 40rem) {
  .facts div, .card .facts div { grid-template-columns: 1fr }
  .card { padding: 1.1rem 1.1rem 1.25rem }
  table.cards, table.cards tbody, table.cards tr, table.cards th, table.cards td { display: block }
  table.cards thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  table.cards tr { padding: .8rem 0; border-bottom: 1px solid var(--rule) }
  table.cards tbody tr:first-child { border-top: 1px solid var(--ink) }
  table.cards td, table.cards tbody th { padding: .15rem 0; border: 0; text-align: start; white-space: normal }
  table.cards [data-label] { display: grid; grid-template-columns: 6.5rem minmax(0, 1fr); gap: 0 .75rem }
  table.cards [data-label]::before { content: attr(data-label); color: var(--soft); font-weight: 400; font-size: .875rem }
  table.cards td.none { display: none }
  table.led tr { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 1rem }
  table.led td { grid-column: 1 / -1 }
  table.led td.lead, table.led td.amount { display: block; grid-row: 1 }
  table.led td.lead { grid-column: 1; font-size: 1rem }
  table.led td.amount { grid-column: 2; text-align: end; font-size: 1rem }
  table.led td.lead::before, table.led td.amount::before { content: none }
}
@media print { .receipt { border: 0; padding: 0; background: none } .card, .notice { break-inside: avoid } }
`
