import { useId, useSyncExternalStore } from 'react'
import type { TransportChoice } from '@/lib/transports/choose-transport.ts'
import { transportChoices } from '@/lib/windows/window-requests.ts'
import type { LinkSharing } from '@/lib/transports/transport.ts'
import {
  transportKey,
  rememberTransport,
  rememberedTransport,
} from '@/components/connection/remembered-transport.ts'
import {
  rememberedLinkSharing,
  rememberLinkSharing,
  linkSharingKey,
  linkSharingNames,
  linkSharingChoices,
} from '@/components/connection/remembered-link-sharing.ts'
import { transportExplanation, transportNameOf } from '@/components/connection/connection-text.ts'
import { Select } from './select.tsx'
import { settingsStrings } from '@/lib/strings/settings.ts'

/** Settings of a browser and its network rather than of a person. */
export function BrowserSettings() {
  const id = useId()
  return (
    <section aria-labelledby={id} className="flex flex-col gap-4">
      <h2 id={id} className="-mb-2 font-semibold">
        {settingsStrings.browser.title}
      </h2>
      <TransportSetting />
      <SharingSetting />
    </section>
  )
}

function TransportSetting() {
  const id = useId()
  const choice = useStorageValue(rememberedTransport)
  const onChoose = (next: TransportChoice) => {
    rememberTransport(next, false)
    notifyThisWindow(transportKey)
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{settingsStrings.browser.transport}</label>
      <Select
        id={id}
        value={choice}
        onChange={(next) => onChoose(next as TransportChoice)}
        describedBy={`${id}-what`}
      >
        {transportChoices.map((each) => (
          <option key={each} value={each}>
            {transportNameOf(each)}
          </option>
        ))}
      </Select>
      <p id={`${id}-what`} className="text-sm text-muted">
        {transportExplanation(choice)}
      </p>
    </div>
  )
}

function SharingSetting() {
  const id = useId()
  const sharing = useStorageValue(rememberedLinkSharing)
  const onChoose = (next: LinkSharing) => {
    rememberLinkSharing(next)
    notifyThisWindow(linkSharingKey)
  }
  return (
    <div className="flex flex-col gap-1">
      <label htmlFor={id}>{settingsStrings.browser.sharing}</label>
      <Select id={id} value={sharing} onChange={(next) => onChoose(next as LinkSharing)}>
        {linkSharingChoices.map((each) => (
          <option key={each} value={each}>
            {linkSharingNames[each]}
          </option>
        ))}
      </Select>
    </div>
  )
}

const subscribeToStorage = (listener: () => void): (() => void) => {
  addEventListener('storage', listener)
  return () => removeEventListener('storage', listener)
}

const useStorageValue = <T extends string>(read: () => T): T => useSyncExternalStore(subscribeToStorage, read)

/** Notifies this window, because the browser sends a storage event to every window except the one that made the change. */
const notifyThisWindow = (key: string): void => void dispatchEvent(new StorageEvent('storage', { key }))
