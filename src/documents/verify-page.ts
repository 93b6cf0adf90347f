import { type Html, html } from '../markup/html.ts'
import { layout } from '../publishing/page-frame.ts'
import { codeBlock } from './pages/code/code-block.ts'
import type { DocumentSite } from './pages/document-site.ts'
import { verifyFileUrl } from './pages/script/verify-files.ts'

/** For readers who want to know that a post is what the service published. */
export function verifyPage(site: DocumentSite): Html {
  const { baseUrl, family, accountPageUrl } = site
  const origins = [...family.map((each) => each.baseUrl), accountPageUrl].map((url) => new URL(url).origin)
  return layout(site, {
    path: 'verify/',
    title: 'Verify a post',
    description: 'Check a post’s signature and its entry in the public log, in your browser or on the command line.',
    content: html`<link rel="stylesheet" href="${verifyFileUrl('page.css')}">
<div class="page-head"><h1>Verify a post</h1>
<p class="lede">Your browser checks that this service signed the post, that the post is in the public log, and that the log has only grown since your last visit.</p></div>
<div class="verify">
<form class="form verify-form" data-origins="${[...new Set(origins)].join(' ')}" autocomplete="off">
<div class="field"><label for="verify-address">Address of the post</label>
<input id="verify-address" name="address" type="text" inputmode="url" autocomplete="off" spellcheck="false" autocapitalize="off" placeholder="${baseUrl}/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab"></div>
<details><summary>Use the JSON of a post instead</summary>
<div class="field"><label for="verify-json">Paste the JSON exactly as you received it</label>
<textarea id="verify-json" name="json" rows="6" spellcheck="false"></textarea></div>
<div class="field"><label for="verify-file">Or choose a file</label>
<input id="verify-file" name="file" type="file" accept=".json,application/json"></div>
</details>
<p class="hint verify-replaced" role="status"></p>
<button type="submit">Verify</button>
</form>
<noscript><p>The form needs JavaScript. The command line below does the same checks: pass it the address of the post.</p></noscript>
<section class="verify-result" aria-label="Result">
<p class="verify-status" role="status"></p>
<div class="verify-found"></div>
<ol class="verify-checks"></ol>
</section>
<div class="prose">
<h2 id="command-line">On the command line</h2>
<p>This page comes from the service that it checks. The <a href="/docs/cli/">command line</a> is a program that you install once, so it does not depend on this page. It needs no account.</p>
!${codeBlock({ language: 'sh', title: '', text: `broadside verify ${baseUrl}/p/post_01jcmzq8e5f7r9t2v4x6y8z0ab` })}
<h2 id="meaning">What “verified” means</h2>
<ul>
<li>The site named in the result published this revision of the post. A newer one may have replaced it.</li>
<li>The check covers the content in the JSON, not the name of the author. The page, the Markdown and the picture of the post can show something else.</li>
<li>On your first visit, everything comes from the site itself.</li>
<li>The check does not show that the text is true.</li>
</ul>
<p><a href="/docs/verification/#what-we-could-still-do">What we could still do</a> lists what a dishonest operator can do, and what helps.</p>
<h2 id="checks">What is checked</h2>
<p>The keys are at <a href="/.well-known/broadside-keys.json">/.well-known/broadside-keys.json</a>. The log has one entry for each post and edit, without its text. It can only grow: anyone who has seen it once notices if an entry is changed or removed. Your browser stores the last checkpoint of the log and the names of the site’s logs. It stores nothing about you or the post.</p>
</div>
</div>
<script type="module" src="${verifyFileUrl('page.js')}"></script>`,
  })
}
