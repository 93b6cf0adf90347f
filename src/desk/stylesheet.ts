import { contents, forms, frameStyle } from '../web-pages/style.ts'
import { caseStyle } from './case/style.ts'

/** The queue, and styles that all desk pages share. */
export const queueStyle = `
body.signed-in { max-width: 82rem }
.role { color: var(--soft) }
kbd { display: inline-block; min-width: 1.55em; padding: .05em .35em; border: 1px solid currentcolor; border-radius: 3px; font: 500 .75em/1.4 var(--mono); text-align: center; text-transform: uppercase; opacity: .75 }
.case-head { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: .35rem 1.5rem; align-items: baseline; margin-bottom: 1.5rem }
.case-head h1 { margin: 0; text-wrap: pretty }
.case-head .marks { grid-column: 1; grid-row: 2 }
.keys-hint { font: .875rem/1.5 var(--plain); color: var(--soft); margin: 0; white-space: nowrap }
.marks { display: flex; flex-wrap: wrap; gap: .4rem .6rem; align-items: baseline; margin: 0; font: .875rem/1.5 var(--plain); color: var(--soft) }
.late { color: var(--bad); font-weight: 600 }

.undo { margin: -1.25rem 0 1.25rem; padding: .4rem .4rem .4rem .9rem; border-inline-start: 4px solid var(--edge); background: var(--sheet); font: .9375rem/1.5 var(--plain) }
.undo ul { display: flex; flex-wrap: wrap; gap: .4rem 2rem }
.undo li { display: flex; gap: .25rem .75rem; align-items: center }
.undo li + li { color: var(--soft) }
.undo .done { flex: 0 1 auto; min-width: 0 }
.undo .left { min-width: 2.5em; color: var(--soft); font-variant-numeric: tabular-nums }
.undo .over form { visibility: hidden }

.kinds + section { margin-top: 2.25rem }
.start { display: flex; flex-wrap: wrap; gap: .75rem 1.25rem; align-items: center; margin-bottom: 2rem }
.start .button { min-width: 9rem; font-size: 1.125rem }
.start p { margin: 0 }
.kinds { display: grid; grid-template-columns: repeat(5, 1fr); border-block: 1px solid var(--rule) }
.kinds li + li { border-inline-start: 1px solid var(--rule) }
.kinds a { display: block; height: 100%; padding: .9rem 1rem 1rem; text-decoration: none; font: .9375rem/1.4 var(--plain) }
.kinds a:hover { background: var(--sheet) }
.kinds [aria-current] { background: var(--sheet); box-shadow: inset 0 -3px 0 var(--mark) }
.kinds .count { display: block; font: 400 2.25rem/1.1 var(--display); font-variant-numeric: lining-nums }
.kinds .since { display: block; font-size: .8125rem; color: var(--soft) }
td > .badge { justify-self: start }
.waiting tr.mine { background: var(--sheet) }
.waiting td.lead { width: 64%; max-width: 0; min-width: 11rem }
.waiting .top { display: flex; gap: .1rem .75rem; align-items: baseline; margin: 0 }
.waiting .top > * { flex: none }
.waiting .top > .by { flex: 1 1 auto; min-width: 0; max-width: none }
.waiting .beginning, .waiting .lead > .soft { margin: .15rem 0 0; overflow: hidden; font: 1rem/1.45 var(--text) }
.waiting .beginning { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; overflow-wrap: anywhere; text-align: start }
.waiting .due { display: block; font-size: .8125rem; color: var(--soft) }
.waiting .group th { padding: 1.6rem 0 .35rem; font: 600 .9375rem/1.4 var(--plain); color: var(--ink); text-align: start; border-bottom-color: var(--ink) }
.waiting .group .soft { font-weight: 400; font-size: .8125rem; margin-inline-start: .35em }
form.free { display: inline }
.by { display: block; max-width: 18rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: .8125rem; color: var(--soft); text-align: left }
.member { display: inline-block; max-width: 12rem; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: bottom }
.empty form { margin-top: 1.25rem }
@media (max-width: 46rem) {
  .kinds { grid-template-columns: 1fr 1fr }
  .kinds li:nth-child(2n + 3) { border-inline-start: 0 }
  .kinds li:nth-child(n + 3) { border-top: 1px solid var(--rule) }
  .kinds a { padding: .7rem .9rem .8rem }
  .start form, .start .button { width: 100% }
}
@media (max-width: 40rem) {
  .masthead .top { flex-wrap: nowrap; padding: .7rem 0 .4rem }
  .nameplate { font-size: 1.25rem; white-space: nowrap }
  .whose { width: auto; justify-content: end }
  .sections ul { display: flex; flex-wrap: nowrap; justify-content: start; gap: 0 1.25rem; padding: 0; overflow-x: auto; scrollbar-width: none }
  .sections a { padding: .4em 0; white-space: nowrap }
  .signed-in main { padding-top: 1rem }
  .undo { margin: -.5rem 0 .75rem }
  .keys-hint:not(:focus-within) { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .by { max-width: none }
  .case-head { margin-bottom: .6rem }
  .case-head .marks { grid-column: 1 / -1 }
  .waiting, .waiting tbody, .waiting td { display: block }
  .waiting thead { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
  .waiting tr { display: flex; flex-wrap: wrap; gap: .2rem .75rem; align-items: baseline; padding: .7rem 0; border-bottom: 1px solid var(--rule) }
  .waiting tr.group { padding: 1.25rem 0 .3rem; border-bottom-color: var(--ink) }
  .waiting .group th { padding: 0; border: 0 }
  .waiting td { padding: 0; border: 0; font-size: .875rem }
  .waiting td.lead { flex: 1 0 100%; width: auto; max-width: none; min-width: 0; font-size: 1rem }
  .waiting td.wide { flex: 1 1 8rem }
  .waiting .due { display: inline }
  .waiting td:empty { display: none }
}
@media (hover: none) { .keys-hint { display: none } }
`

/** The list of decisions. */
export const decisionsStyle = `
.decided .beginning { display: -webkit-box; -webkit-box-orient: vertical; -webkit-line-clamp: 2; max-width: 36rem; overflow: hidden; overflow-wrap: anywhere; text-align: start; font: .9375rem/1.45 var(--text) }
`

/** Compact forms within a table row. */
export const staffStyle = `
table.members th { overflow-wrap: anywhere }
form.inline, .acts { display: flex; white-space: nowrap; gap: .5rem; align-items: center }
form.inline select { min-height: 0; padding: .3rem .5rem; font-size: .9375rem }
@media (max-width: 40rem) { table.members .acts, table.members td > .button { margin-top: .5rem } }
`

/** Tables of numbers, and the choice of the period. */
export const statisticsStyle = `
.spans ul { display: flex; gap: 1.25rem; list-style: none; margin: 0; padding: 0 }
.spans a { display: inline-block; padding: .35rem 0; color: var(--soft); text-decoration: none }
.spans a:hover { color: var(--ink) }
.spans [aria-current] { color: var(--ink); font-weight: 600; box-shadow: inset 0 -2px 0 var(--mark) }
.numbers thead th { white-space: normal; vertical-align: bottom }
.numbers tbody tr:last-child > * { border-bottom: 0 }
.numbers .nil { color: var(--soft) }
@media (max-width: 40rem) { .numbers { font-size: .875rem } .numbers th, .numbers td { padding-inline-end: .75rem } }
`

/** Tables of codes: ids may break anywhere and use a smaller font than text. */
export const logStyle = `
.log-filter { margin: 1.75rem 0 .5rem }
.log-filter .fields { grid-template-columns: repeat(auto-fit, minmax(min(100%, 13rem), 1fr)) }
.log-filter .buttons { margin-top: 0 }
.log a.id { font: .75rem/1.5 var(--mono); overflow-wrap: anywhere; text-decoration-color: var(--rule) }
.log bdi { display: block; font-weight: 500 }
.log .detail { display: inline-block; margin-inline-end: .75rem; overflow-wrap: anywhere }
.log .when { white-space: nowrap }
@media (min-width: 40.01rem) { .log td.when time { display: block; width: 6.75rem; white-space: normal } }
@media (min-width: 68rem) { .log a.id { overflow-wrap: normal } }
`

/** The styles that the desk shares with the owner page (owner-page/style.ts lists the classes), and its own. */
export const deskStyle = [
  frameStyle,
  forms,
  contents,
  queueStyle,
  caseStyle,
  decisionsStyle,
  staffStyle,
  statisticsStyle,
  logStyle,
].join('\n')
