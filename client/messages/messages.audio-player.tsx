import { useLingui } from '@lingui/react/macro'
import { Mic, Pause, Play } from 'lucide-react'
import { useEffect, useMemo, useRef, useState } from 'react'
import { waveformOf } from '../../schema/messages/messages.waveform.ts'
import { local } from '../base/local.ts'
import { createStore, useStore } from '../base/store.ts'
import { Spinner } from '../ui/spinner.tsx'
import { cn } from '../ui/cn.ts'
import { clock } from './messages.parts.ts'

const speeds = [1, 1.5, 2] as const
/** One voice at a time. */
let playing: HTMLAudioElement | null = null
const speedKey = 'balcao.voice-speed'
/** The speed somebody chose holds for every voice note, also tomorrow. */
const chosenSpeed = createStore<(typeof speeds)[number]>(
  speeds.find((speed) => String(speed) === local.get(speedKey)) ?? 1,
)

/** Plays a voice note or an audio file; the bytes are asked for when somebody presses play. */
export function AudioPlayer({
  url,
  loading,
  onWanted,
  isVoice,
  seconds,
  waveform,
  own,
}: {
  url: string | null
  loading: boolean
  onWanted: () => void
  isVoice: boolean
  /** What is known before the bytes are here. */
  seconds: number | null
  waveform: string | null
  own: boolean
}) {
  const { t } = useLingui()
  const audio = useRef<HTMLAudioElement>(null)
  const [state, setState] = useState({ on: false, at: 0, length: 0 })
  const speed = useStore(chosenSpeed)
  const startWhenLoaded = useRef(false)
  const parts = useMemo(() => waveformOf(waveform), [waveform])
  const length = state.length || (seconds ?? 0)

  const play = () => {
    const element = audio.current
    if (!element) return
    if (playing && playing !== element) playing.pause()
    playing = element
    element.playbackRate = chosenSpeed.get()
    // A browser that cannot play the format says so by rejecting; the download is still there.
    element.play().catch(() => setState((s) => ({ ...s, on: false })))
  }
  useEffect(() => {
    if (audio.current) audio.current.playbackRate = speed
  }, [speed])
  useEffect(() => {
    if (url && startWhenLoaded.current) {
      startWhenLoaded.current = false
      play()
    }
  }, [url])
  useEffect(
    () => () => {
      if (playing === audio.current) playing = null
    },
    [],
  )
  const toggle = () => {
    if (!url) {
      startWhenLoaded.current = true
      onWanted()
    } else if (state.on) audio.current?.pause()
    else play()
  }
  const nextSpeed = () => {
    const next = speeds[(speeds.indexOf(speed) + 1) % speeds.length]!
    local.set(speedKey, String(next))
    chosenSpeed.set(next)
  }
  return (
    <div className="flex w-64 max-w-full items-center gap-2 py-1">
      {url && (
        <audio
          ref={audio}
          src={url}
          preload="metadata"
          onPlay={() => setState((s) => ({ ...s, on: true }))}
          onPause={() => setState((s) => ({ ...s, on: false }))}
          onEnded={() => setState((s) => ({ ...s, on: false, at: 0 }))}
          onTimeUpdate={(event) => {
            const { currentTime: at } = event.currentTarget
            setState((s) => ({ ...s, at }))
          }}
          onDurationChange={(event) => {
            const { duration } = event.currentTarget
            setState((s) => ({ ...s, length: Number.isFinite(duration) ? duration : 0 }))
          }}
        />
      )}
      <span className="sr-only select-none">{isVoice ? t`Mensagem de voz` : t`Áudio`} </span>
      <button
        type="button"
        aria-label={state.on ? t`Pausar` : t`Ouvir`}
        onClick={toggle}
        className={cn(
          'focus-ring flex size-9 shrink-0 items-center justify-center rounded-full touch:size-11',
          own ? 'bg-primary text-primary-foreground' : 'bg-secondary text-secondary-foreground',
        )}
      >
        {loading ? (
          <Spinner />
        ) : state.on ? (
          <Pause className="size-4 fill-current" />
        ) : (
          <Play className="ml-0.5 size-4 fill-current" />
        )}
      </button>
      <div className="min-w-0 flex-1">
        <div className="relative flex items-center rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-ring">
          {parts.length > 0 && <Waveform parts={parts} share={length > 0 ? state.at / length : 0} />}
          <input
            type="range"
            min={0}
            max={length || 1}
            step={0.1}
            value={Math.min(state.at, length || 1)}
            disabled={!url}
            aria-label={t`Posição`}
            aria-valuetext={length > 0 ? t`${clock(state.at)} de ${clock(length)}` : clock(state.at)}
            onChange={(event) => {
              const at = Number(event.target.value)
              if (audio.current) audio.current.currentTime = at
              setState((s) => ({ ...s, at }))
            }}
            className={cn(
              'focus-ring w-full cursor-pointer rounded-sm accent-primary disabled:cursor-default',
              // The waveform shows the position; the slider lies over it and takes what fingers and keys do.
              parts.length > 0 ? 'h-6 opacity-0' : 'h-4',
            )}
          />
        </div>
        {/* What stands here the slider says, and the words before it. */}
        <div aria-hidden="true" className="flex items-center gap-1 text-[0.6875rem] text-muted-foreground tabular-nums">
          {isVoice && <Mic className="size-3" />}
          <span>
            {state.on || state.at > 0
              ? clock(state.at)
              : length > 0
                ? clock(length)
                : isVoice
                  ? t`Mensagem de voz`
                  : t`Áudio`}
          </span>
        </div>
      </div>
      <button
        type="button"
        onClick={nextSpeed}
        aria-label={t`Velocidade: ${speed}×`}
        className="focus-ring min-w-9 shrink-0 rounded-full bg-foreground/8 px-1.5 py-0.5 text-[0.6875rem] font-medium tabular-nums hover:bg-foreground/14 touch:min-h-9"
      >
        {speed}×
      </button>
    </div>
  )
}

/** How a sound looks, with what was heard of it in another colour. */
function Waveform({ parts, share }: { parts: readonly number[]; share: number }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`0 0 ${parts.length * 3 - 1} 24`}
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-0 size-full"
    >
      {parts.map((part, at) => {
        const height = Math.max(2, part * 22)
        return (
          <rect
            key={at}
            x={at * 3}
            y={12 - height / 2}
            width={2}
            height={height}
            rx={1}
            className={at / parts.length < share ? 'fill-primary' : 'fill-foreground/30'}
          />
        )
      })}
    </svg>
  )
}
