#!/usr/bin/env bash
# What a person would write without agent-checkpoint: files changed, and no test command since the last prompt, blocks.
# The transcript is read from its end, and only as far as the prompt. It keeps no record of what it blocked.
{ read -r active; read -r cwd; read -r transcript; } < <(jq -r '.stop_hook_active, .cwd, .transcript_path')
[ "$active" = true ] && exit 0
cd "$cwd" || exit 0
changed=$(git diff --name-only HEAD; git ls-files --others --exclude-standard)
[ -n "$changed" ] || exit 0
commands=$(tac "$transcript" | jq -rn '
  label $prompt | inputs
  | if .type == "user" and .isMeta != true and (.message.content | type) == "string" then break $prompt else . end
  | select(.type == "assistant") | .message.content[] | select(.type == "tool_use" and .name == "Bash") | .input.command')
grep -qE '(npm|pnpm|yarn) (run )?test|vitest|jest|pytest' <<<"$commands" && exit 0
jq -nc --arg files "$changed" '{decision: "block", reason: ("No test was run after a change of:\n" + $files)}'
