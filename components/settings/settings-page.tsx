'use client'

import { type QueryClient, useQueryClient } from '@tanstack/react-query'
import dynamic from 'next/dynamic'
import Link from 'next/link'
import { useEffect } from 'react'
import { openDesk } from '@/lib/client.ts'
import { rememberedChoice } from '@/components/connection/choice'
import { rememberedSharing } from '@/components/connection/sharing'
import { followDesk } from '@/components/profile/profile-in-step'
import { Logo } from '@/components/ui/logo'
import { Sentence } from '@/components/ui/sentence'
import { settings } from './store'
import { strings as common } from '@/lib/strings/common.ts'
import { strings } from '@/lib/strings/settings.ts'

/** What is chosen is known to the browser alone. */
const SettingsForm = dynamic(async () => (await import('./settings-form')).SettingsForm, { ssr: false })

export function SettingsPage() {
  const client = useQueryClient()
  useEffect(() => keepInStep(client), [client])
  return (
    <>
      <header className="mx-auto flex max-w-2xl items-center px-4 pt-5 sm:px-6">
        <Link
          href="/"
          prefetch
          className="flex items-center gap-2.5 rounded-lg font-serif text-xl font-semibold"
        >
          <Logo /> {common.product}
        </Link>
      </header>
      <main className="mx-auto flex max-w-2xl flex-col gap-8 px-4 pt-10 pb-24 sm:px-6">
        <div>
          <h1 className="font-serif text-3xl font-semibold tracking-tight sm:text-4xl">{strings.title}</h1>
          <p className="mt-1 text-muted">{strings.hint}</p>
        </div>
        <SettingsForm />
        <p className="border-t border-line pt-5 text-sm text-muted">
          <Sentence
            parts={strings.lab.hint(
              <Link href="/lab" className="text-ink underline underline-offset-4">
                {strings.lab.link}
              </Link>,
            )}
          />
        </p>
      </main>
    </>
  )
}

/** The one page that shows no document has the person's desk open by itself. */
function keepInStep(client: QueryClient): () => void {
  const { origin } = location
  const desk = openDesk({ url: origin, transport: rememberedChoice(), sharing: rememberedSharing() })
  const detach = settings.attachDesk(desk)
  const stopHearing = followDesk(desk, client)
  addEventListener('pagehide', desk.leave)
  return () => {
    removeEventListener('pagehide', desk.leave)
    detach()
    stopHearing()
    void desk.close()
  }
}
