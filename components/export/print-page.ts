/** Prints a page that is written out whole: in a frame of its own, so that nothing of this page is on the paper, and once all of it is there. */
import { pageNonce } from '@/components/ui/page-nonce.ts'

/** A frame without scripts, which this page may read and have printed. */
const SANDBOX = 'allow-same-origin allow-modals'

/** Resolves when the browser's dialog has closed, or is open where browsers do not wait for it. */
export async function printPage(html: string): Promise<void> {
  const frame = document.createElement('iframe')
  frame.setAttribute('sandbox', SANDBOX)
  frame.title = ''
  frame.tabIndex = -1
  frame.ariaHidden = 'true'
  // A frame that is not laid out has nothing to print.
  Object.assign(frame.style, { position: 'fixed', insetInlineEnd: '200vw', width: '50rem', height: '60rem' })
  // The policy of this page holds for the frame, too.
  frame.srcdoc = html.replace('<style>', `<style nonce="${pageNonce() ?? ''}">`)
  const loaded = new Promise((resolve) => frame.addEventListener('load', resolve, { once: true }))
  document.body.append(frame)
  await loaded
  const { contentWindow: view, contentDocument: page } = frame
  if (!view || !page) return frame.remove()
  await page.fonts.ready
  // A picture that cannot be read is printed as its description.
  await Promise.all([...page.images].map((image) => image.decode().catch(() => undefined)))
  view.addEventListener('afterprint', () => frame.remove())
  view.print()
}
