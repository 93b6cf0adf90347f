/** Buttons and fields. */
export const forms = `
.button {
  display: inline-block; min-height: 2.75rem; padding: .625rem 1.25rem; border: 1px solid var(--ink); border-radius: 3px;
  background: var(--ink); color: var(--paper); font: 600 1rem/1.4 var(--plain); text-align: center; text-decoration: none; cursor: pointer;
}
.button:hover { background: color-mix(in srgb, var(--ink) 85%, var(--paper)) }
.button.quiet { background: transparent; color: var(--ink); border-color: var(--edge); font-weight: 500 }
.button.quiet:hover { border-color: var(--ink); background: color-mix(in srgb, var(--ink) 6%, transparent) }
.button.danger { background: var(--bad); border-color: var(--bad); color: var(--on-solid) }
.button.danger:hover { background: color-mix(in srgb, var(--bad) 85%, var(--ink)) }
.button.quiet.danger { background: transparent; color: var(--bad) }
.button.slight { min-height: 0; padding: .3rem .75rem; font-size: .875rem }
.button:disabled { opacity: 1; color: var(--soft); background: var(--paper); border-color: var(--rule); cursor: not-allowed }
button.plain { border: 0; padding: 0; background: none; color: inherit; font: inherit; text-decoration: underline; text-underline-offset: .18em; cursor: pointer }
.buttons { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; margin: 1.25rem 0 0 }
form { margin: 0 }
.field { margin: 0 0 1.25rem }
.field label, .choices legend:not(.unseen) { display: block; font: 600 .9375rem/1.5 var(--plain); margin-bottom: .3rem; padding: 0 }
input, select, textarea {
  display: block; width: 100%; max-width: 26rem; min-height: 2.75rem; padding: .5rem .75rem; border: 1px solid var(--edge); border-radius: 3px;
  background: var(--sheet); color: var(--ink); font: 1rem/1.5 var(--plain);
}
textarea { max-width: none; min-height: 8rem; resize: vertical; font: 1.0625rem/1.6 var(--text) }
select { width: auto }
input:focus-visible, select:focus-visible, textarea:focus-visible { outline-offset: 0; border-color: var(--mark) }
input[type='radio'], input[type='checkbox'] { display: inline-block; width: 1.15rem; height: 1.15rem; min-height: 0; margin: 0; accent-color: var(--mark); flex: none }
input.code { max-width: 14rem; font: 600 1.75rem/1.3 var(--mono); letter-spacing: .2em; text-align: center }
input[aria-invalid], textarea[aria-invalid], select[aria-invalid] { border-color: var(--bad); box-shadow: inset 0 0 0 1px var(--bad) }
.hint, .error { font: .875rem/1.5 var(--plain); margin: .35rem 0 0; color: var(--soft) }
.error { color: var(--bad); font-weight: 600 }
.choices { border: 0; margin: 0 0 1.25rem; padding: 0; min-width: 0 }
.choice { display: flex; gap: .6rem; align-items: start; padding: .4rem 0; font: 1rem/1.4 var(--plain); cursor: pointer }
.choice input { margin-top: .13rem }
.choices.row { display: flex; flex-wrap: wrap; gap: 0 1.5rem }
.choices.row legend:not(.unseen) { width: 100% }
.fields { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.75rem, 1fr)); gap: 0 1.25rem; align-items: end }
.fields select { width: 100% }
.copy { display: flex; flex-wrap: wrap; gap: .5rem; margin: .75rem 0 }
.copy input { flex: 1 1 18rem; max-width: none; font-family: var(--mono); font-size: .9375rem }
.amounts { display: grid; grid-template-columns: repeat(4, 1fr); gap: .75rem }
.amounts .button { width: 100%; min-height: 4.5rem; padding: .5rem; background: var(--sheet); color: var(--ink); border: 1px solid var(--ink); font: 700 1.5rem/1.2 var(--text) }
.amounts .button:hover, .amounts .button:focus-visible { background: var(--ink); color: var(--paper) }
.amounts .button span { display: block; font: .75rem/1.4 var(--plain); margin-top: .2rem }
@media (max-width: 34rem) { .amounts { grid-template-columns: 1fr 1fr } }
`
