/** A page of one sentence, for what the server answers before or without Next: it takes nothing to make, and loads nothing. */
import { plainPageStrings } from '../lib/strings/plain-page.ts'
import { createNonce } from './content-policy.ts'
import type { GatewayResponse } from './gateways/gateway-request.ts'
import { isClientGone, writeAnswer } from './http-answers.ts'

const style = `
  :root { color-scheme: light dark; font: 1.0625rem/1.6 system-ui, sans-serif; background: #fbfaf8; color: #23201c }
  body { max-width: 34rem; margin: 16vh auto; padding: 0 1.5rem }
  h1 { font: 600 1.75rem/1.3 ui-serif, Georgia, serif }
  a { color: inherit }
  @media (prefers-color-scheme: dark) { :root { background: #191816; color: #ece8e1 } }
`

export interface PlainPage {
  readonly status: number
  readonly title: string
  readonly sentence: string
  readonly retryAfterS?: number | undefined
}

export function answerPlainPage(response: GatewayResponse, page: PlainPage): void {
  if (response.headersSent || isClientGone(response)) return
  const nonce = createNonce()
  response.setHeader('content-security-policy', policyOf(nonce))
  response.setHeader('x-frame-options', 'DENY')
  if (page.retryAfterS !== undefined) response.setHeader('retry-after', page.retryAfterS)
  writeAnswer(response, page.status, 'text/html; charset=utf-8', Buffer.from(htmlOf(page, nonce)))
}

const policyOf = (nonce: string): string =>
  `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`

const htmlOf = ({ title, sentence }: PlainPage, nonce: string): string => `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)}</title>
<style nonce="${nonce}">${style}</style>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(sentence)}</p>
<p><a href="/">${escapeHtml(plainPageStrings.toDocuments)}</a></p>
</html>
`

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
