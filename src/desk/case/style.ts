/** The case page: the post, the sidebar and the verdict bar. */
export const caseStyle = `
html:has(.verdicts) { scroll-padding-bottom: 6rem }
main:has(.verdicts) { display: flex; flex-direction: column; padding-bottom: 0 }
.case { display: grid; grid-template-columns: minmax(0, 1fr) 21rem; gap: 0 3rem; align-items: start; padding-bottom: 2.5rem }
.yours { font-weight: 600; color: var(--good) }
.case-head h1 { font-size: clamp(1.5rem, 4vw, 1.875rem) }
.reason { max-width: 44rem }
.reason + .judged { margin-top: 1.25rem }
.reason + .reason { margin-top: 1.25rem }
.reason h2 { font-size: 1.125rem; margin-bottom: .25rem }
.reason > p { margin-bottom: .6rem }
.reason .quoted { margin-bottom: .35rem; font-size: 1rem }
.reason .small { margin-bottom: .5rem }
.said li + li { margin-top: .9rem }

.judged > .heading { justify-content: start; align-items: baseline; margin-bottom: .5rem }
.blurs { margin-inline-start: auto; padding: .2rem 0; align-items: center; font-size: .875rem; color: var(--soft) }
.blurs input { margin: 0 }
.frames { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 22rem), 1fr)); gap: 1rem }
.stranger { min-width: 0; border: 1px solid var(--edge); border-radius: 4px; background: var(--sheet); overflow: hidden }
.stranger > .label { margin: 0; padding: .4rem 1.1rem; border-bottom: 1px dashed var(--edge); font: 600 .8125rem/1.5 var(--plain) }
.stranger > .soft { padding: 1.1rem }
.words { padding: 1.25rem 1.1rem 1.35rem; overflow-wrap: anywhere }
.words header { margin-bottom: 1rem }
.words h3 { font-size: 1.5rem; line-height: 1.2; margin-bottom: .6rem }
.words .text { max-width: 42rem; font-size: 1.125rem }
.words .facts { margin: 0 0 1.1rem; border: 0 }
.words .facts div { grid-template-columns: 7rem minmax(0, 1fr); padding: .1rem 0; border: 0; font: .875rem/1.5 var(--plain) }
.words .facts dt { font-size: .875rem }
.words .byline, .words .meta, .words .category { font: .875rem/1.5 var(--plain); color: var(--soft); margin-bottom: .4rem }
.words .price { font-weight: 700; margin-bottom: .6rem }
.words .date-block { display: block; font: .875rem/1.5 var(--plain); color: var(--soft) }
.words .topics { display: flex; flex-wrap: wrap; gap: .25rem .9rem; list-style: none; margin: 1rem 0 0; padding: 0; font: .8125rem/1.5 var(--plain); color: var(--soft) }
.words .text .link { text-decoration: underline dotted; text-underline-offset: .18em }
main:has(.blur:checked) :is(.words, .links ol, .quoted, .beginning) { filter: blur(.45em) grayscale(1); user-select: none }
@media (scripting: enabled) {
  html:not([data-ready]) :is(.words, .reason .quoted, .beginning) { visibility: hidden; animation: show-words 0s 1s forwards }
}
@keyframes show-words { to { visibility: visible } }
@media (scripting: enabled) { html:not([data-ready]) .verdicts { pointer-events: none; animation: let-touch 0s 1s forwards } }
@keyframes let-touch { to { pointer-events: auto } }
mark { padding: 0 .1em; background: var(--warn-wash); color: inherit; box-shadow: inset 0 -2px 0 var(--warn); border-radius: 2px }
.marked { margin-top: .75rem }
.ids { margin-top: .75rem; user-select: all }
.ids code { font-size: .75rem }
.links-none { margin-top: .75rem }
.as-judged { margin-top: .75rem }
.as-judged summary { font-size: .875rem }
.as-judged h3 { margin: .75rem 0 .3rem; font: 600 .8125rem/1.4 var(--plain); letter-spacing: 0; color: var(--soft) }
.as-judged .quoted { margin-bottom: .5rem; font-size: 1rem }
.links { margin-top: 1.25rem }
.links h3 { font: 600 .9375rem/1.5 var(--plain) }
.links ol { margin: 0; padding: 0; list-style: none; border-top: 1px solid var(--rule) }
.links li { padding: .5rem 0; border-bottom: 1px solid var(--rule); font: .9375rem/1.5 var(--plain); overflow-wrap: anywhere }
.links code { display: block; font-size: .8125rem; color: var(--soft) }

.context { font: .9375rem/1.5 var(--plain); min-width: 0 }
.context section + section { margin-top: 1.5rem; padding-top: 1.25rem; border-top: 1px solid var(--rule) }
.context h2 { font: 600 .8125rem/1.4 var(--plain); letter-spacing: 0; color: var(--soft); margin-bottom: .4rem }
.context h3 { font: 600 .9375rem/1.4 var(--plain); letter-spacing: 0; margin: .75rem 0 .3rem }
.context p { margin-bottom: .5rem }
.author-name { font: 700 1.125rem/1.3 var(--text); overflow-wrap: anywhere; margin-bottom: .4rem }
.context .marks { margin-bottom: .4rem }
.context p:has(+ .needs) { margin-bottom: 0 }
.context .needs { margin: 0 0 .5rem; padding-inline-start: 1.1rem; font-size: .8125rem; color: var(--soft) }
.totals { display: flex; flex-wrap: wrap; gap: 0 1rem; font-size: .875rem; color: var(--soft) }
.totals strong { color: var(--ink); font-variant-numeric: tabular-nums }
.context details > summary { font-size: .875rem; padding: .35rem 0 }
.rows li { display: flex; gap: .2rem .6rem; padding: .3rem 0; border-top: 1px solid var(--rule); font-size: .875rem }
.rows .what { flex: 1; min-width: 0 }
.rows .beginning { display: block; overflow-wrap: anywhere; color: var(--ink) }
.rows .public { font-size: .8125rem; color: var(--soft) }
.rows time { color: var(--soft); white-space: nowrap; font-variant-numeric: tabular-nums }
.state { color: var(--soft) }
.state.good { color: var(--good) }
.state.bad { color: var(--bad) }
.figure { font-variant-numeric: tabular-nums; white-space: nowrap }
.scores li { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 .75rem; padding: .2rem 0 .3rem; font-size: .875rem }
.scores svg { display: block; grid-column: 1 / -1; width: 100%; height: .75rem; margin-top: .1rem }
.scores .track { fill: var(--rule) }
.tick { fill: var(--ink) }
.tick-key { display: inline-block; width: .2rem; height: .75rem; vertical-align: -.1rem }
.scores .slight { fill: var(--edge) }
.scores .warn { fill: var(--warn) }
.scores .bad { fill: var(--bad) }
.policy { max-width: 44rem }
.policy h3 { margin: .75rem 0 .35rem }
.policy p { margin-bottom: .5rem }
.policy p, .policy li { font: 1rem/1.55 var(--text) }
.others { columns: 2; column-gap: 2rem; margin: .75rem 0; border-top: 1px solid var(--rule); padding-top: .35rem }
.others details { break-inside: avoid }
.policy summary { font-size: .875rem; padding: .35rem 0 }
.policy p.small { font: .8125rem/1.5 var(--plain) }
.policy ul { margin: 0 0 .75rem; padding-inline-start: 1.1rem }
.policy li { margin-bottom: .35rem }

.verdicts { position: sticky; bottom: 0; z-index: 1; margin: auto calc(-1 * var(--gutter)) 0; padding: .8rem var(--gutter); border-top: 1px solid var(--ink); background: var(--paper) }
.verdicts > .lost, .verdicts > .held { display: flex; flex-wrap: wrap; gap: .6rem .75rem; align-items: center; min-height: 2.75rem }
.verdicts > [hidden] { display: none }
.lost p { flex: 1 1 18rem; margin: 0; font: .9375rem/1.45 var(--plain) }
.verdict { min-width: 9.5rem; background: var(--sheet); color: var(--ink); border-color: var(--edge) }
.verdict.good { border-color: var(--good); color: var(--good) }
.verdict.bad { border-color: var(--bad); color: var(--bad) }
.verdict.neutral:hover { border-color: var(--ink); background: color-mix(in srgb, var(--ink) 6%, var(--sheet)) }
.verdict.good:hover { background: var(--good-wash) }
.verdict.bad:hover { background: var(--bad-wash) }
.pass { margin-inline-start: auto }
.button kbd { margin-inline-start: .35em }
html[data-rests] .verdicts .button { opacity: .55 }
html[data-sent] .verdicts, html[data-sent] .undo, html[data-sent] .start { opacity: .55; cursor: progress }

.chooser { width: min(34rem, calc(100vw - 2rem)); max-height: min(44rem, calc(100dvh - 2rem)); margin: auto; padding: 1.25rem 1.4rem 1.4rem; border: 1px solid var(--ink); border-radius: 6px; background: var(--paper); color: var(--ink); overflow: auto; box-shadow: 0 1rem 3rem rgb(0 0 0 / .25) }
.chooser::backdrop { background: rgb(0 0 0 / .35) }
.chooser .heading button { font: .875rem/1.5 var(--plain) }
.chooser li button { display: grid; grid-template-columns: 1.6rem minmax(0, 1fr) auto; gap: .6rem; align-items: center; width: 100%; min-height: 2.5rem; padding: .3rem .5rem; border: 0; border-top: 1px solid var(--rule); background: none; color: inherit; font: .9375rem/1.4 var(--plain); text-align: start; cursor: pointer }
.chooser li button:hover { background: var(--sheet) }
.chooser li button:focus-visible { outline-offset: -3px; background: var(--sheet) }
.chooser > .choice { padding: 0 0 .75rem; font-size: .9375rem }
.chooser > .warning { margin: 0 0 .75rem; font: 600 .9375rem/1.45 var(--plain); color: var(--bad) }
.chooser kbd { margin: 0 }
.chooser small { font-size: .8125rem; color: var(--soft) }
.chooser small.bad { color: var(--bad) }
.keys div { display: grid; grid-template-columns: 4.5rem minmax(0, 1fr); gap: .75rem; padding: .4rem 0; border-top: 1px solid var(--rule); font: .9375rem/1.45 var(--plain) }
.keys kbd { opacity: 1; font-size: .8125rem }
@media (max-width: 60rem) { .case { grid-template-columns: minmax(0, 1fr) } .context { margin-top: 2.25rem; padding-top: 1.25rem; border-top: 1px solid var(--ink) } }
@media (max-width: 40rem) {
  .verdicts { padding-block: .6rem }
  .verdicts > .held:not([hidden]) { display: grid; grid-template-columns: 1fr 1fr; gap: .5rem }
  .verdicts .button { min-width: 0; width: 100%; padding-inline: .6rem }
  .verdicts .lost form { flex: 1 }
  .others { columns: 1 }
  .pass { margin: 0 }
  .pass:nth-of-type(odd) { grid-column: 1 / -1 }
  .judged > .heading { gap: 0 .5rem }
  .judged > .heading h2 { font-size: 1rem }
  .judged > .heading p { order: 1; flex-basis: 100%; font-size: .8125rem; line-height: 1.3 }
  .case-head h1 { font-size: 1.25rem }
  .reason { font-size: 1rem }
  .reason + .judged { margin-top: .6rem }
  .words { padding: .8rem .9rem 1rem }
  .words header { margin-bottom: .6rem }
  .words h3 { font-size: 1.0625rem; margin-bottom: .25rem }
  .words .facts { margin-bottom: .5rem }
  .words .facts div { grid-template-columns: 6rem minmax(0, 1fr); font-size: .8125rem; padding: 0 }
  .words .facts dt { font-size: .8125rem }
  .chooser { padding: 1rem 1rem 0 }
  .chooser::after { content: ''; display: block; height: 1.25rem }
  .chooser > .heading { flex-wrap: nowrap; align-items: start }
  .chooser li button { grid-template-columns: minmax(0, 1fr) auto }
  .keys div { grid-template-columns: 3.5rem minmax(0, 1fr) }
  .button kbd, .choice kbd, .chooser li kbd { display: none }
}
@media (hover: none) { .button kbd, .choice kbd { display: none } }
@media print { .verdicts, .undo { display: none } }
`
