{{- /* The secrets that a component reads, as far as they are named in the values. */ -}}
{{- define "milepost.secrets" -}}
{{- $tracing := list "OTEL_EXPORTER_OTLP_HEADERS" "OTEL_EXPORTER_OTLP_TRACES_HEADERS" }}
{{- $all := dict
  "server" (concat (list "DATABASE_URL" "MILEPOST_ADMIN_PASSWORD" "MILEPOST_OIDC_CLIENT_SECRET" "MILEPOST_SMTP_URL") $tracing)
  "worker" (concat (list "DATABASE_URL" "MILEPOST_CHECKPOINT_KEY" "MILEPOST_SMTP_URL") $tracing)
  "migrate" (list "DATABASE_URL" "MILEPOST_OWNER_DATABASE_URL")
  "doctor" (list "DATABASE_URL" "MILEPOST_OIDC_CLIENT_SECRET" "MILEPOST_SMTP_URL") }}
{{- $used := list }}
{{- range $setting := get $all .component }}
{{- if (get $.root.Values.secrets $setting).name }}{{ $used = append $used $setting }}{{ end }}
{{- end }}
{{- toJson $used }}
{{- end -}}

{{- define "milepost.env" -}}
{{- $settings := dict }}
{{- if eq .component "migrate" }}
{{- /* Milepost's own settings are for the other components. */ -}}
{{- range $name, $value := .root.Values.settings }}
{{- if hasPrefix "NODE_" $name }}{{ $_ := set $settings $name $value }}{{ end }}
{{- end }}
{{- else }}
{{- $own := ternary .root.Values.worker.settings .root.Values.server.settings (eq .component "worker") }}
{{- $listening := dict "MILEPOST_PUBLIC_URL" .root.Values.publicUrl "MILEPOST_METRICS_HOST" "0.0.0.0" }}
{{- if ne .component "worker" }}{{ $_ := set $listening "MILEPOST_HOST" "0.0.0.0" }}{{ end }}
{{- $settings = merge dict $listening $own .root.Values.settings }}
{{- end }}
{{- range $name, $value := $settings }}
- { name: {{ $name }}, value: {{ ternary ($value | int64) $value (kindIs "float64" $value) | toString | quote }} }
{{- end }}
{{- range $setting := include "milepost.secrets" . | fromJsonArray }}
{{- if hasPrefix "OTEL_" $setting }}
{{- /* OpenTelemetry reads no files. */}}
{{- with get $.root.Values.secrets $setting }}
- { name: {{ $setting }}, valueFrom: { secretKeyRef: { name: {{ .name }}, key: {{ .key }} } } }
{{- end }}
{{- else }}
- { name: {{ $setting }}_FILE, value: /run/secrets/milepost/{{ $setting }} }
{{- end }}
{{- end }}
{{- end -}}

{{- define "milepost.securityContext" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}

{{- define "milepost.pullSecrets" -}}
{{- with .Values.image.pullSecrets -}}
imagePullSecrets:
  {{- range . }}
  - name: {{ . }}
  {{- end }}
{{- end }}
{{- end -}}

{{- /* The pod of a component. What only its container has is in the template `milepost.<component>.container`. */ -}}
{{- define "milepost.pod" -}}
{{- $values := get .root.Values (ternary "server" .component (eq .component "doctor")) -}}
automountServiceAccountToken: false
# Otherwise Kubernetes sets variables such as MILEPOST_PORT for the Service, which are no settings.
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  seccompProfile: { type: RuntimeDefault }
  {{- toYaml .root.Values.podSecurityContext | nindent 2 }}
{{- with include "milepost.pullSecrets" .root }}
{{ . }}
{{- end }}
containers:
  - name: {{ .component }}
    image: {{ include "milepost.image" .root }}
    imagePullPolicy: {{ .root.Values.image.pullPolicy }}
    # Holds nothing that needs a backup.
    workingDir: /var/lib/milepost
    securityContext:
      {{- include "milepost.securityContext" . | nindent 6 }}
    {{- include (printf "milepost.%s.container" .component) . | nindent 4 }}
    env:
      {{- include "milepost.env" . | nindent 6 }}
    {{- with $values.resources }}
    resources:
      {{- toYaml . | nindent 6 }}
    {{- end }}
    volumeMounts:
      - { name: work, mountPath: /var/lib/milepost }
      - { name: tmp, mountPath: /tmp }
      - { name: secrets, mountPath: /run/secrets/milepost, readOnly: true }
      {{- with $values.volumeMounts }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
volumes:
  - { name: work, emptyDir: {} }
  - { name: tmp, emptyDir: {} }
  - name: secrets
    projected:
      defaultMode: 0440
      sources:
        {{- range $setting := include "milepost.secrets" . | fromJsonArray }}
        {{- if not (hasPrefix "OTEL_" $setting) }}
        {{- with get $.root.Values.secrets $setting }}
        - secret: { name: {{ .name }}, items: [{ key: {{ .key }}, path: {{ $setting }} }] }
        {{- end }}
        {{- end }}
        {{- end }}
  {{- with $values.volumes }}
  {{- toYaml . | nindent 2 }}
  {{- end }}
{{- with pick $values "nodeSelector" "tolerations" "affinity" }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{- /* A Deployment of pods that can run on different machines. */ -}}
{{- define "milepost.deployment" -}}
{{- $values := get .root.Values .component -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "milepost.metadata" . | nindent 2 }}
spec:
  replicas: {{ $values.replicas }}
  # A new pod is ready before an old one stops.
  strategy:
    rollingUpdate: { maxSurge: 1, maxUnavailable: 0 }
  selector:
    matchLabels:
      {{- include "milepost.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- include "milepost.labels" . | nindent 8 }}
      {{- with $values.podAnnotations }}
      annotations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
    spec:
      serviceAccountName: {{ include "milepost.name" .root }}
      {{- include "milepost.pod" . | nindent 6 }}
      terminationGracePeriodSeconds: {{ .graceSeconds }}
      topologySpreadConstraints:
        {{- range list "kubernetes.io/hostname" "topology.kubernetes.io/zone" }}
        - maxSkew: 1
          topologyKey: {{ . }}
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "milepost.selector" $ | nindent 14 }}
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "milepost.metadata" . | nindent 2 }}
spec:
  maxUnavailable: 1
  # A pod that is not ready must not keep a machine from being drained.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "milepost.selector" . | nindent 6 }}
{{- end -}}
