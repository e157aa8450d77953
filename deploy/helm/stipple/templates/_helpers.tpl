{{- define "stipple.name" -}}
{{- if contains .Chart.Name .Release.Name }}{{ .Release.Name | trunc 50 }}{{ else }}{{ printf "%s-%s" .Release.Name .Chart.Name | trunc 50 }}{{ end }}
{{- end }}

{{/* Selector labels for the pods of one part: (dict "root" . "part" "api") */}}
{{- define "stipple.selector" -}}
app.kubernetes.io/name: {{ .root.Chart.Name }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .part }}
{{- end }}

{{- define "stipple.labels" -}}
{{ include "stipple.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{/* The parts of a pod that API and worker share. */}}
{{- define "stipple.pod" -}}
serviceAccountName: {{ include "stipple.name" .root }}
automountServiceAccountToken: false
# Kubernetes would add variables named after the services, such as STIPPLE_API_PORT, which are not settings.
enableServiceLinks: false
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  fsGroupChangePolicy: OnRootMismatch
  seccompProfile: { type: RuntimeDefault }
{{- with .values.nodeSelector }}
nodeSelector: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .values.tolerations }}
tolerations: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{- define "stipple.container" -}}
name: {{ .part }}
image: "{{ .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .part }}]
envFrom:
  - configMapRef: { name: {{ include "stipple.name" .root }} }
  - secretRef: { name: {{ .root.Values.existingSecret }} }
env:
  - { name: STIPPLE_DRAIN_SECONDS, value: {{ .values.drainSeconds | quote }} }
  {{- with .values.stopDelaySeconds }}
  - { name: STIPPLE_STOP_DELAY_SECONDS, value: {{ . | quote }} }
  {{- end }}
resources: {{ toYaml .values.resources | nindent 2 }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
volumeMounts:
  - { name: scratch, mountPath: /var/lib/stipple }
  - { name: tmp, mountPath: /tmp }
{{- end }}
