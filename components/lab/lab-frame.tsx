import Link from 'next/link'
import type { ReactNode } from 'react'
import { SettingsButton } from '@/components/settings/settings-button.tsx'
import { PageFrame } from '@/components/charts/page-frame.tsx'
import { labStrings } from '@/lib/strings/lab.ts'

const pages = [
  { path: '/lab', name: labStrings.keystrokes.title },
  { path: '/lab/dashboard', name: labStrings.dashboard.title },
] as const

interface LabFrameProps {
  readonly path: (typeof pages)[number]['path']
  readonly title: string
  /** Says what is measured here, in one sentence. */
  readonly description: string
  /** The steps to take here, in order. */
  readonly steps?: readonly string[]
  readonly children: ReactNode
}

/** The frame of both lab pages: says which one this is, and links to the other. */
export const LabFrame = ({ path, title, description, steps = [], children }: LabFrameProps) => (
  <PageFrame
    id="lab"
    skipText={labStrings.skip}
    title={title}
    description={description}
    navigation={<LabNavigation path={path} />}
    controls={<SettingsButton />}
    introduction={
      steps.length > 0 && (
        <ol className="mt-4 flex max-w-3xl list-decimal flex-col gap-1.5 pl-5 text-pretty marker:text-muted">
          {steps.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      )
    }
  >
    {children}
  </PageFrame>
)

const LabNavigation = ({ path }: Pick<LabFrameProps, 'path'>) => (
  <nav
    aria-label={labStrings.navigation}
    className="flex flex-1 items-center gap-1 text-sm max-sm:order-last max-sm:basis-full"
  >
    {pages.map((page) => (
      <Link
        key={page.path}
        href={page.path}
        aria-current={page.path === path ? 'page' : undefined}
        className="rounded-lg px-2.5 py-1.5 text-muted hover:bg-sunk hover:text-ink aria-[current=page]:bg-sunk aria-[current=page]:text-ink"
      >
        {page.name}
      </Link>
    ))}
  </nav>
)
