'use client'

import Link from 'next/link'
import { useEffect } from 'react'
import { openDesk } from '@/lib/client.ts'
import { rememberedTransport } from '@/components/connection/remembered-transport.ts'
import { rememberedLinkSharing } from '@/components/connection/remembered-link-sharing.ts'
import { refetchWhenDeskDiffers } from '@/components/profile/profile-sync.tsx'
import { HomeLink } from '@/components/ui/home-link.tsx'
import { Sentence } from '@/components/ui/sentence.tsx'
import { settingsStore } from '@/components/settings/settings-store.ts'
import { SettingsForm } from './settings-form.tsx'
import { settingsStrings } from '@/lib/strings/settings.ts'

export function SettingsPage() {
  useEffect(syncWithDesk, [])
  return (
    <>
      <header className="mx-auto flex max-w-2xl items-center px-4 pt-5 sm:px-6">
        <HomeLink />
      </header>
      <main className="mx-auto flex max-w-2xl flex-col gap-8 px-4 pt-10 pb-24 sm:px-6">
        <div>
          <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">
            {settingsStrings.title}
          </h1>
          <p className="mt-1 text-muted">{settingsStrings.hint}</p>
        </div>
        <SettingsForm />
        <p className="border-t border-line pt-5 text-sm text-muted">
          <Sentence
            parts={settingsStrings.lab.hint(
              <Link href="/lab" className="text-ink underline underline-offset-4">
                {settingsStrings.lab.link}
              </Link>,
            )}
          />
        </p>
      </main>
    </>
  )
}

/** The settings page shows no document, so it opens the person's desk itself. */
function syncWithDesk(): () => void {
  const { origin } = location
  const desk = openDesk({ url: origin, transport: rememberedTransport(), sharing: rememberedLinkSharing() })
  const detachDesk = settingsStore.attachDesk(desk)
  const stopRefetching = refetchWhenDeskDiffers(desk)
  addEventListener('pagehide', desk.leave)
  return () => {
    removeEventListener('pagehide', desk.leave)
    detachDesk()
    stopRefetching()
    void desk.close()
  }
}
