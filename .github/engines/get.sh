#!/usr/bin/env bash
# Fills a folder with what test/engines needs, as WEFT_ENGINES: programs out of the images of their releases, charts and
# kinds out of the repositories. kubectl, helm, openssl, git and redis-server are the system's. Needs docker and git.
set -euo pipefail
folder=$(realpath -m "$1")
mkdir -p "$folder/bin" "$folder"/crds/{flux,argocd,external-secrets,sealed-secrets}

KUBERNETES=v1.35.4 ETCD=3.6.6-0 SOURCE=v1.9.1 KUSTOMIZE=v1.9.4 ARGO_CD=v3.5.1
EXTERNAL_SECRETS=v2.9.0 SEALED_SECRETS=0.40.0
LIQO=(1.0.3 1.1.2 1.2.0)

# from IMAGE PATH FILE: one file of an image.
from() {
  local container
  container=$(docker create --quiet "$1" none)
  docker cp --quiet "$container:$2" "$3"
  docker rm --force "$container" >/dev/null
}

# sources REPOSITORY TAG FOLDER: the files of a tag, without its history.
sources() {
  git clone --quiet --depth 1 --branch "$2" -c advice.detachedHead=false "https://github.com/$1" "$3"
}

for it in kube-apiserver kube-controller-manager; do from "registry.k8s.io/$it:$KUBERNETES" "/usr/local/bin/$it" "$folder/bin/$it"; done
from "registry.k8s.io/etcd:$ETCD" /usr/local/bin/etcd "$folder/bin/etcd"
from "ghcr.io/fluxcd/source-controller:$SOURCE" /usr/local/bin/source-controller "$folder/bin/source-controller"
from "ghcr.io/fluxcd/kustomize-controller:$KUSTOMIZE" /usr/local/bin/kustomize-controller "$folder/bin/kustomize-controller"
for it in argocd kustomize git-verify-wrapper.sh; do from "quay.io/argoproj/argocd:$ARGO_CD" "/usr/local/bin/$it" "$folder/bin/$it"; done
from "ghcr.io/external-secrets/external-secrets:$EXTERNAL_SECRETS" /bin/external-secrets "$folder/bin/external-secrets"
docker run --rm -v "$folder/bin:/go/bin" golang:1.26 go install "github.com/bitnami-labs/sealed-secrets/cmd/"{controller,kubeseal}"@v$SEALED_SECRETS"
mv "$folder/bin/controller" "$folder/bin/sealed-secrets-controller"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
sources fluxcd/source-controller "$SOURCE" "$scratch/source"
sources fluxcd/kustomize-controller "$KUSTOMIZE" "$scratch/kustomize"
cp "$scratch"/{source,kustomize}/config/crd/bases/*.yaml "$folder/crds/flux/"
sources argoproj/argo-cd "$ARGO_CD" "$scratch/argo-cd"
cp "$scratch"/argo-cd/manifests/crds/*-crd.yaml "$folder/crds/argocd/"
sources external-secrets/external-secrets "$EXTERNAL_SECRETS" "$scratch/external-secrets"
cp "$scratch"/external-secrets/config/crds/bases/{external-secrets.io_{externalsecrets,secretstores,clustersecretstores},generators.external-secrets.io_generatorstates}.yaml "$folder/crds/external-secrets/"
sources bitnami-labs/sealed-secrets "v$SEALED_SECRETS" "$scratch/sealed-secrets"
cp "$scratch"/sealed-secrets/helm/sealed-secrets/crds/*.yaml "$folder/crds/sealed-secrets/"

for version in "${LIQO[@]}"; do
  mkdir -p "$folder/liqo-$version"
  for it in liqo-controller-manager ipam webhook crd-replicator virtual-kubelet uninstaller; do
    from "ghcr.io/liqotech/$it:v$version" "/usr/bin/$it" "$folder/liqo-$version/$it"
  done
  sources liqotech/liqo "v$version" "$scratch/liqo-$version"
  rm -rf "$folder/liqo-$version/chart" # cp -r into a folder that exists would put the chart into it
  cp -r "$scratch/liqo-$version/deployments/liqo" "$folder/liqo-$version/chart"
done
