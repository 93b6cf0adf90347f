/** Letters of scripts that put no spaces between words, for use inside a class of a regular expression with the flag v. */
export const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]`
