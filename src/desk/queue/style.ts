/** The queue, and what the pages of the desk have in common. */
export const queueStyle = `
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
.kinds .count { display: block; font: 700 2.25rem/1.1 var(--text); letter-spacing: -.02em; font-variant-numeric: lining-nums }
.kinds .since { display: block; font-size: .8125rem; color: var(--soft) }
td > .badge { justify-self: start }
.waiting tr.mine { background: var(--sheet) }
.waiting td.lead { min-width: 11rem }
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
  .waiting tbody tr:first-child { border-top: 1px solid var(--ink) }
  .waiting td { order: 2; padding: 0; border: 0; font-size: .875rem }
  .waiting td.lead { order: 0; flex: 1 0 calc(100% - 5.5rem); min-width: 0; font-size: 1rem }
  .waiting td.age { order: 1; flex: 0 0 4.5rem; text-align: end }
  .waiting td:empty { display: none }
}
@media (hover: none) { .keys-hint { display: none } }
`
