import { panelIds, panelPath } from '@/lib/windows/panels.ts'
import { buttonClass } from '@/components/ui/button.tsx'
import { MessagePage } from '@/components/ui/message-page.tsx'
import { panels } from './panel-registry.ts'
import { panelFramesStrings } from '@/lib/strings/panel-frames.ts'

/** Shown for an address that ends in an unknown panel name. */
export function UnknownPanel({ document }: { document: string }) {
  const openDocumentLink = (
    <a href={`/d/${document}`} className={buttonClass({ look: 'primary' })}>
      {panelFramesStrings.unknown.openDocument}
    </a>
  )
  return (
    <MessagePage title={panelFramesStrings.unknown.title} actions={openDocumentLink}>
      <p>{panelFramesStrings.unknown.hint}</p>
      <ul aria-label={panelFramesStrings.unknown.list} className="mt-3 grid gap-x-6 gap-y-1 sm:grid-cols-2">
        {panelIds.map((id) => (
          <li key={id}>
            <a href={panelPath(document, id)} className="inline-flex min-h-8 items-center text-ink underline">
              {panels[id].name}
            </a>
          </li>
        ))}
      </ul>
    </MessagePage>
  )
}
