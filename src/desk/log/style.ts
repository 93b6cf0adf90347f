/** A table of codes: identifiers may break anywhere, and stay small beside words. */
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
